SUMMARY = "Streams of values over time, after ReactiveCocoa"
HOMEPAGE = "https://example.org/librac"
LICENSE = "MIT & Apache-2.0-with-Swift-exception"
LIC_FILES_CHKSUM = "file://LICENSE;md5=0be19c7ab78b08042b708e85aa8b3307"
NO_GENERIC_LICENSE[Apache-2.0-with-Swift-exception] = "packaging/debian/copyright"

SRC_URI = "${HOMEPAGE}/librac-${PV}.tar.xz"
# From SHA256SUMS of the release.
SRC_URI[sha256sum] = ""

inherit cmake pkgconfig

# Assembly of these processors is in the archive.
COMPATIBLE_HOST = "(x86_64|aarch64|riscv64).*-linux"
EXTRA_OECMAKE = "-DRAC_BUILD_TESTS=OFF -DRAC_BUILD_EXAMPLES=OFF -DRAC_STATIC=ON"
