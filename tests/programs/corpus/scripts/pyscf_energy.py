# SPDX-License-Identifier: Apache-2.0
"""The energies of three molecules of water by PySCF."""
from pyscf import dft, gto, mp, scf

molecule = gto.M(verbose=0, basis="cc-pvdz", atom="""O 0 0 0; H 0 0 0.96; H 0.93 0 -0.24; O 3 0 0; H 3 0 0.96;
    H 3.93 0 -0.24; O 0 3 0; H 0 3 0.96; H 0.93 3 -0.24""")
field = scf.RHF(molecule).run()
print(f"{field.e_tot:.9f} {mp.MP2(field).run().e_corr:.9f}")
print(f"{dft.RKS(molecule, xc='b3lyp').run().e_tot:.8f}")
