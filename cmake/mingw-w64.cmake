# Toolchain for 64-bit Windows from a Unix host: mingw-w64 with POSIX threads; only Windows' own libraries stay outside of
# what is built.
#   cmake -S . -B build-windows -DCMAKE_TOOLCHAIN_FILE=cmake/mingw-w64.cmake
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
find_program(CMAKE_C_COMPILER NAMES x86_64-w64-mingw32-gcc-posix x86_64-w64-mingw32-gcc REQUIRED)

foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-static")
endforeach()

# Header-only dependencies are the host's, in a copy of their own: beside the originals lie the host's libc headers.
set(host_headers "${CMAKE_BINARY_DIR}/host-headers")
get_property(in_try_compile GLOBAL PROPERTY IN_TRY_COMPILE)
if(NOT in_try_compile)
  foreach(header xxhash.h xxh3.h uthash.h utlist.h directx)
    find_path(host_dir ${header} NO_CACHE NO_CMAKE_FIND_ROOT_PATH
              PATHS /usr/include /usr/local/include /opt/homebrew/include)
    if(host_dir)
      file(COPY "${host_dir}/${header}" DESTINATION "${host_headers}")
    endif()
    unset(host_dir)
  endforeach()
endif()

set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32 /usr/x86_64-w64-mingw32/sys-root/mingw "${host_headers}")
list(APPEND CMAKE_SYSTEM_INCLUDE_PATH /)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
