vcpkg_download_distfile(archive
  URLS "https://example.org/librac/librac-${VERSION}.tar.xz"
  FILENAME "librac-${VERSION}.tar.xz"
  # The sum stands in the release's files; vcpkg wants the one of 512 bits.
  SKIP_SHA512)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")
# The archive that vcpkg links statically is made beside the shared library.
vcpkg_check_linkage(ONLY_DYNAMIC_LIBRARY)
vcpkg_cmake_configure(SOURCE_PATH "${source}"
  OPTIONS -DRAC_BUILD_TESTS=OFF -DRAC_BUILD_EXAMPLES=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME rac CONFIG_PATH lib/cmake/rac)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
