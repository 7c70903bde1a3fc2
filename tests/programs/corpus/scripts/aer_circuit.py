# SPDX-License-Identifier: Apache-2.0
"""A quantum Fourier transform by Qiskit's Aer."""
import numpy
from qiskit import QuantumCircuit, transpile
from qiskit_aer import AerSimulator

bits = 17
circuit = QuantumCircuit(bits)
for bit in range(bits):
    circuit.h(bit)
    for other in range(bit + 1, bits):
        circuit.cp(numpy.pi / 2 ** (other - bit), bit, other)
    circuit.rx(0.1 * bit, bit)
circuit.save_statevector()
simulator = AerSimulator(method="statevector", statevector_parallel_threshold=10)
vector = numpy.asarray(simulator.run(transpile(circuit, simulator)).result().get_statevector())
print(f"{abs(vector[4321]):.10g} {numpy.square(numpy.abs(vector[::5])).sum():.12g}")
