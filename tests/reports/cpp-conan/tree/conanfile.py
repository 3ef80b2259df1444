from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, cmake_layout

required_conan_version = ">=2.0"


class SoundingsConan(ConanFile):
    name = "soundings"
    license = "BSD-3-Clause"
    description = "Depth soundings of survey boats, from MQTT to InfluxDB"
    settings = "os", "compiler", "build_type", "arch"
    generators = "CMakeDeps", "CMakeToolchain"
    requires = ("paho-mqtt-cpp/1.3.2", "libcurl/8.6.0", "tomlplusplus/3.4.0")
    test_requires = "catch2/3.6.0"

    def set_version(self):
        self.version = (Path(self.recipe_folder) / "VERSION").read_text().strip()

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()
