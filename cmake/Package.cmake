# SPDX-License-Identifier: Apache-2.0
# `cpack` in a build folder makes a .deb whose library dependencies are read from the program itself.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "osdtune maintainers <osdtune@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fio, ceph-mon, ceph-mgr, ceph-osd")
include(CPack)
