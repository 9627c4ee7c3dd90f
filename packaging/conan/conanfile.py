"""Conan 2: `conan create packaging/conan --version 0.1.0`, with the archive in `dist` or at LIBRAC_ARCHIVE."""

import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import get, unzip


class Librac(ConanFile):
    name = "librac"
    description = "Streams of values over time, after ReactiveCocoa"
    license = "MIT"
    homepage = "https://example.org/librac"
    settings = "os", "arch", "compiler", "build_type"
    package_type = "shared-library"

    def validate(self):
        if self.settings.os != "Linux" or str(self.settings.arch) not in ("x86_64", "armv8", "riscv64"):
            raise ConanInvalidConfiguration("there is an engine for Linux on x86_64, aarch64 and riscv64")

    def layout(self):
        cmake_layout(self, src_folder="source")

    def source(self):
        archive = os.environ.get("LIBRAC_ARCHIVE")
        if archive:
            unzip(self, archive, strip_root=True)
        else:
            get(self, "{}/librac-{}.tar.xz".format(self.homepage, self.version), strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["RAC_BUILD_TESTS"] = False
        toolchain.cache_variables["RAC_BUILD_EXAMPLES"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["rac"]
        self.cpp_info.system_libs = ["pthread"]
        self.cpp_info.set_property("cmake_file_name", "rac")
        self.cpp_info.set_property("cmake_target_name", "rac::rac")
        self.cpp_info.set_property("pkg_config_name", "rac")
