# SPDX-License-Identifier: Apache-2.0
"""A random quantum circuit by qulacs."""
import numpy
import qulacs

dice, bits = numpy.random.default_rng(6), 18
circuit = qulacs.QuantumCircuit(bits)
for layer in range(12):
    for bit in range(bits):
        circuit.add_RX_gate(bit, dice.random())
        circuit.add_RZ_gate(bit, dice.random())
    for bit in range(layer % 2, bits - 1, 2):
        circuit.add_CNOT_gate(bit, bit + 1)
state = qulacs.QuantumState(bits)
circuit.update_quantum_state(state)
vector = state.get_vector()
print(f"{abs(vector[1234]):.10g} {numpy.square(numpy.abs(vector[::7])).sum():.12g}")
