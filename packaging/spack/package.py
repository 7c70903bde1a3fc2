# SPDX-License-Identifier: Apache-2.0
from spack.package import *


class Tulle(CMakePackage):
    """An OpenMP runtime on user-level threads, under programs that GCC, Clang or Intel's compilers have built."""

    license("Apache-2.0")

    version("0.1.0")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("hwloc@2:")
    depends_on("cli11", type="build")
    depends_on("fmt", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("python@3.9:", type="run")

    conflicts("%gcc@:11", msg="C++20 as GCC 12 has it")
    requires("platform=linux", "target=x86_64:")

    generator("ninja")

    def cmake_args(self):
        return [self.define("TULLE_TESTS", self.run_tests)]

    def setup_run_environment(self, env):
        # As `tulle env` says: whatever is started from here runs on it.
        env.prepend_path("LD_LIBRARY_PATH", self.prefix.lib.tulle)
        env.prepend_path("LD_PRELOAD", join_path(self.prefix.lib.tulle, "libgomp.so.1"))
