# Toolchain for another Linux machine, by the name of Debian's cross compiler.
#   cmake -S . -B build-s390x -DCMAKE_TOOLCHAIN_FILE=cmake/cross.cmake -DANNOT_CROSS=s390x-linux-gnu
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ANNOT_CROSS)
string(REGEX REPLACE "-.*" "" machine "${ANNOT_CROSS}")
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR "${machine}")
set(CMAKE_C_COMPILER "${ANNOT_CROSS}-gcc")
# Where size_t has 32 bits -Wconversion finds sizes of files that are in memory already.
set(CMAKE_C_FLAGS_INIT "-Wno-error=conversion")

# Header-only dependencies are the host's, in a copy of their own: beside the originals lie the host's libc headers.
set(host_headers "${CMAKE_BINARY_DIR}/host-headers")
get_property(in_try_compile GLOBAL PROPERTY IN_TRY_COMPILE)
if(NOT in_try_compile)
  foreach(header xxhash.h xxh3.h uthash.h utlist.h utarray.h)
    find_path(host_dir ${header} NO_CACHE NO_CMAKE_FIND_ROOT_PATH PATHS /usr/include /usr/local/include)
    if(host_dir)
      file(COPY "${host_dir}/${header}" DESTINATION "${host_headers}")
    endif()
    unset(host_dir)
  endforeach()
endif()

set(CMAKE_FIND_ROOT_PATH "/usr/${ANNOT_CROSS}" "${host_headers}")
list(APPEND CMAKE_SYSTEM_INCLUDE_PATH /)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
