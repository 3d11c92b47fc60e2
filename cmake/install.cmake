# `make install`: libraries, headers, commands, man pages, and what find_package and pkg-config need.
include(CMakePackageConfigHelpers)

set(annot_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/annot")

# The reader has targets of its own, so that a machine may have libannot alone.
if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr") # a distribution's own library folder needs no path, and its checks refuse one
  set_target_properties(annot_reader_shared PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()
install(TARGETS annot_static annot_shared EXPORT annotTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS annot_reader_static annot_reader_shared EXPORT annotReaderTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT reader
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT reader
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT reader)
install(EXPORT annotTargets NAMESPACE annot:: DESTINATION "${annot_package_dir}")
install(EXPORT annotReaderTargets NAMESPACE annot:: DESTINATION "${annot_package_dir}" COMPONENT reader)
set(not_of_the_reader)
foreach(name reader reader_model hang fleet timeline dxdmp)
  list(APPEND not_of_the_reader PATTERN "annot/${name}.h" EXCLUDE)
  install(FILES "${PROJECT_SOURCE_DIR}/include/annot/${name}.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/annot" COMPONENT reader)
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/annot" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" ${not_of_the_reader})

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/annotConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/annotConfig.cmake" INSTALL_DESTINATION "${annot_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/annotConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion) # 0.x: a new minor version may break
install(FILES "${PROJECT_BINARY_DIR}/annotConfig.cmake" "${PROJECT_BINARY_DIR}/annotConfigVersion.cmake"
  DESTINATION "${annot_package_dir}")

# The .pc file finds its prefix from where it lies, so that the tree can be moved or staged.
file(RELATIVE_PATH annot_pc_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" annot_pc_to_prefix "${annot_pc_to_prefix}")
set(annot_static_file "${CMAKE_STATIC_LIBRARY_PREFIX}annot${CMAKE_STATIC_LIBRARY_SUFFIX}")
set(annot_reader_static_file "${CMAKE_STATIC_LIBRARY_PREFIX}annot-reader${CMAKE_STATIC_LIBRARY_SUFFIX}")
set(annot_pc_files annot annot-static annot-reader annot-reader-static)
if(TARGET d3d12)
  list(APPEND annot_pc_files annot-emu)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(DIRECTX_HEADERS_PC QUIET DirectX-Headers)
  endif()
  if(DIRECTX_HEADERS_PC_FOUND)
    set(annot_pc_directx DirectX-Headers)
  endif()
endif()
foreach(name ${annot_pc_files})
  set(component)
  if(name MATCHES "reader")
    set(component COMPONENT reader)
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" ${component})
endforeach()

# Documents, and what they link to.
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs" PATTERN man EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/bench/BENCHMARKS.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}/bench")

if(TARGET annot)
  set(annot_commands annot d3dconfig)
  if(TARGET annot-conformance)
    list(APPEND annot_commands annot-conformance)
  endif()
  install(TARGETS ${annot_commands} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  # A distribution's own library folder needs no path, and its checks refuse one.
  if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    file(RELATIVE_PATH annot_to_lib "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
    set_target_properties(annot d3dconfig PROPERTIES INSTALL_RPATH "$ORIGIN/${annot_to_lib}")
  endif()
  foreach(command ${annot_commands})
    install(FILES "${PROJECT_SOURCE_DIR}/tools/completions/${command}.bash" RENAME ${command}
      DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${PROJECT_SOURCE_DIR}/tools/completions/_${command}"
      DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
    install(FILES "${PROJECT_SOURCE_DIR}/tools/completions/${command}.fish"
      DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
  endforeach()
endif()

# In a folder of its own: a libd3d12.so on the default search path would take the place of the system's.
if(TARGET d3d12)
  set_target_properties(d3d12 PROPERTIES INSTALL_RPATH "$ORIGIN/..")
  set_target_properties(dxcore PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/..")
  set(annot_emulator d3d12 dxcore WinPixEventRuntime)
  if(TARGET dxgi)
    list(APPEND annot_emulator dxgi)
  endif()
  install(TARGETS ${annot_emulator}
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/annot-emu"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/annot-emu"
    RUNTIME DESTINATION emulator)
  if(WIN32) # all that is copied beside a program
    install(FILES $<TARGET_FILE:annot_shared> DESTINATION emulator)
  endif()
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/emu" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.h")
  install(FILES "${PROJECT_SOURCE_DIR}/docs/man/annot-emulator.7" DESTINATION "${CMAKE_INSTALL_MANDIR}/man7")
endif()
# The library for traces and crashes has that name too; the commands find it here, and people the crash layer in `layer`.
if(TARGET capture_proxy)
  set_target_properties(capture_proxy PROPERTIES INSTALL_RPATH "$ORIGIN/..")
  if(WIN32)
    install(FILES $<TARGET_FILE:capture_proxy> DESTINATION capture)
    install(FILES $<TARGET_FILE:capture_proxy> DESTINATION layer)
  else()
    install(TARGETS capture_proxy LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/annot-capture")
  endif()
endif()

# Where the Vulkan loader looks under a prefix that it knows: /usr, /usr/local, and those of XDG_DATA_DIRS.
if(TARGET vulkan_layer)
  install(TARGETS vulkan_layer LIBRARY DESTINATION "${ANNOT_VULKAN_LIBDIR}" COMPONENT vulkan-layer)
  foreach(kind explicit implicit)
    install(DIRECTORY "${PROJECT_BINARY_DIR}/layers/vulkan/installed/${kind}/"
      DESTINATION "${CMAKE_INSTALL_DATADIR}/vulkan/${kind}_layer.d" COMPONENT vulkan-layer)
  endforeach()
endif()

file(GLOB annot_man_pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/man/*.1")
if(annot_man_pages)
  install(FILES ${annot_man_pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
