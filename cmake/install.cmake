# `make install`: library, headers, commands, man pages, and what find_package and pkg-config need.
include(CMakePackageConfigHelpers)

set(annot_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/annot")

install(TARGETS annot_static annot_shared EXPORT annotTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(EXPORT annotTargets NAMESPACE annot:: DESTINATION "${annot_package_dir}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/annot" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/annotConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/annotConfig.cmake" INSTALL_DESTINATION "${annot_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/annotConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion) # 0.x: a new minor version may break
install(FILES "${PROJECT_BINARY_DIR}/annotConfig.cmake" "${PROJECT_BINARY_DIR}/annotConfigVersion.cmake"
  DESTINATION "${annot_package_dir}")

# The .pc file finds its prefix from where it lies, so that the tree can be moved or staged.
file(RELATIVE_PATH annot_pc_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" annot_pc_to_prefix "${annot_pc_to_prefix}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/annot.pc.in" "${PROJECT_BINARY_DIR}/annot.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/annot.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

if(TARGET annot)
  install(TARGETS annot d3dconfig RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(FILES "${PROJECT_SOURCE_DIR}/tools/completions/d3dconfig.bash" RENAME d3dconfig
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${PROJECT_SOURCE_DIR}/tools/completions/_d3dconfig"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  install(FILES "${PROJECT_SOURCE_DIR}/tools/completions/d3dconfig.fish"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()

# In a folder of its own: a libd3d12.so on the default search path would take the place of the system's.
if(TARGET d3d12)
  set_target_properties(d3d12 PROPERTIES INSTALL_RPATH "$ORIGIN/..")
  set_target_properties(dxcore PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/..")
  install(TARGETS d3d12 dxcore WinPixEventRuntime
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/annot-emu"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/annot-emu"
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/emu" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.h" PATTERN config.h EXCLUDE)
  install(TARGETS annot-conformance RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

if(TARGET d3d12)
  install(FILES "${PROJECT_SOURCE_DIR}/docs/man/annot-emulator.7" DESTINATION "${CMAKE_INSTALL_MANDIR}/man7")
endif()
# The recording library has that name too; `annot capture` finds it here.
if(TARGET capture_proxy)
  set_target_properties(capture_proxy PROPERTIES INSTALL_RPATH "$ORIGIN/..")
  install(TARGETS capture_proxy LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/annot-capture")
endif()

file(GLOB annot_man_pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/man/*.1")
if(annot_man_pages)
  install(FILES ${annot_man_pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
