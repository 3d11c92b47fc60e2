#!/usr/bin/env bash
# Every use of pix3.h in surface.txt compiles with annot/pix3.h under pix3.h's own name, in every configuration, as C++11,
# with each compiler given; what C has compiles as C, and a wide argument that C can't tell from a pointer to int
# does not [ANN-PIX-04, ANN-PIX-05].
#   surface.sh INCLUDE_DIR DIRECTX_STUBS_DIR CC CXX...
set -u
here=$(cd "$(dirname "$0")" && pwd)
include=$1 stubs=$2 cc=$3
shift 3
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
configurations=("" -DUSE_PIX -DUSE_PIX_RETAIL "-DUSE_PIX -DUSE_PIX_RETAIL" "-DUSE_PIX -DPIX_USE_GPU_MARKERS_V2" -D_DEBUG)
warnings=(-Wall -Wextra -Werror -Wno-unused-value)
failed=0 checked=0

head_of() { # PIX3-HEADER
  cat <<HEAD
#include <string>
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12video.h>
#include <$1>
// Colours that are classes, as DirectXMath's XMCOLOR is one.
struct PackedColor {
    uint32_t c;
    operator uint32_t() const noexcept { return c; }
};
struct SignedColor {
    operator int() const { return -1; }
};
struct IndexColor {
    operator UINT8() const { return 3; }
};
template <typename LIST> void scope_in_a_template(LIST *list, int n)
{
    PIXScopedEvent(list, PIX_COLOR_DEFAULT, "name %d", n);
}
HEAD
}

use() { # NUMBER NAME USE
  cat <<BODY
#line 1 "$2"
void use_$1(ID3D12GraphicsCommandList *list, ID3D12GraphicsCommandList5 *list5, ID3D12CommandQueue *queue,
            ID3D12VideoDecodeCommandList *decode, ID3D12VideoProcessCommandList *process,
            ID3D12VideoEncodeCommandList *encode, int n, const std::string &text)
{
    (void)list, (void)list5, (void)queue, (void)decode, (void)process, (void)encode, (void)n, (void)text;
    $3;
}
BODY
}

compile() { # COMPILER STANDARD FILE FLAGS...
  local compiler=$1 standard=$2 file=$3 headers=(-isystem "$stubs")
  shift 3
  case $compiler in *mingw*) headers=() ;; esac # Windows has the headers that the stubs stand for
  "$compiler" -std="$standard" "${warnings[@]}" "$@" -I"$include/annot/dropin" -I"$include" "${headers[@]}" \
    -idirafter /usr/include -fsyntax-only "$file"
}

surface_compiles() { # COMPILER
  local header configuration number=0
  for header in pix3.h WinPixEventRuntime/pix3.h; do
    {
      head_of "$header"
      while IFS= read -r line; do
        case $line in '' | '#'*) continue ;; esac
        number=$((number + 1))
        use "$number" "${line%%: *}" "${line#*: }"
      done <"$here/surface.txt"
    } >"$dir/surface.cpp"
    for configuration in "${configurations[@]}"; do
      # shellcheck disable=SC2086
      compile "$1" c++11 "$dir/surface.cpp" $configuration || {
        echo "$1 $configuration: the lines above do not compile with <$header>"
        failed=1
      }
      checked=$((checked + 1))
      [ "$header" = pix3.h ] || break
    done
  done
  echo "$1: $((number / 2)) uses of pix3.h"
}

c_body() {
  cat <<'BODY'
#include <unknwn.h>
#include <directx/d3d12.h>
#include <pix3.h>
void use(ID3D12GraphicsCommandList *list, ID3D12CommandQueue *queue, int n)
{
    PIXBeginEvent(list, PIX_COLOR(1, 2, 3), "name %d %s", n, "text");
    PIXSetMarker(queue, PIX_COLOR_INDEX(1), L"name %d", n);
    PIXBeginRetailEvent(queue, PIX_COLOR_DEFAULT, "name");
    PIXSetRetailMarker(list, 0, "name");
    n ? PIXEndRetailEvent(queue) : (void)0, PIXEndEvent(list);
    PIXBeginEventCommandList(list, 0, "name");
    PIXSetMarkerCommandQueue(queue, 0, "name");
    PIXEndEventCommandList(list);
    PIXReportCounter(L"counter", 0.5f);
    (void)PIXBeginCapture(PIX_CAPTURE_GPU, NULL), (void)PIXEndCapture(FALSE), (void)list, (void)queue, (void)n;
    PIXBeginRetailEvent(list, 0, "%ls", WIDE);
}
BODY
}

c_compiles() {
  local configuration
  c_body >"$dir/surface.c"
  for configuration in "${configurations[@]}"; do
    # shellcheck disable=SC2086
    compile "$cc" c11 "$dir/surface.c" '-DWIDE=ANNOT_PIX_WIDE(L"wide")' $configuration || failed=1
    checked=$((checked + 1))
  done
  if compile "$cc" c11 "$dir/surface.c" -DUSE_PIX '-DWIDE=L"wide"' 2>"$dir/log"; then
    echo "#include <wchar.h>
_Static_assert(sizeof(wchar_t) == 2, \"a wide argument of 32-bit characters compiles, but is stored as a pointer\");" |
      "$cc" -std=c11 ${ABI_FLAGS:-} -fsyntax-only -x c - || failed=1
  elif ! grep -q ANNOT_PIX_WIDE "$dir/log"; then
    echo "the error about a wide argument does not name ANNOT_PIX_WIDE:"
    cat "$dir/log"
    failed=1
  fi
}

# A program that only writes markers links nothing of the library.
links_alone() { # COMPILER
  {
    head_of pix3.h
    use 1 links 'PIXScopedEvent(list, 0, text.c_str()); PIXSetMarker(queue, 0, L"%s %ls", text.c_str(), L"wide")'
    echo 'int main() { return 0; }'
  } >"$dir/alone.cpp"
  "$cc" -std=c11 -I"$include/annot/dropin" -I"$include" -isystem "$stubs" -idirafter /usr/include -DUSE_PIX \
    '-DWIDE=ANNOT_PIX_WIDE(L"wide")' -c -o "$dir/alone.o" "$dir/surface.c" &&
    "$1" -std=c++11 -I"$include/annot/dropin" -I"$include" -isystem "$stubs" -idirafter /usr/include -DUSE_PIX \
      -o "$dir/alone" "$dir/alone.cpp" "$dir/alone.o" || {
    echo "$1: a program that only writes markers needs the library"
    failed=1
  }
  checked=$((checked + 1))
}

# pix3.h's overloads for integers are equally far from a float, and from a class that converts to several.
refuses() { # COMPILER
  local color
  for color in 0.5f 'Two()' 'list' '"text"'; do
    {
      head_of pix3.h
      echo "struct Two { operator UINT() const; operator UINT64() const; };"
      use 1 refused "PIXBeginEvent(list, $color, \"name\")"
    } >"$dir/refused.cpp"
    if compile "$1" c++11 "$dir/refused.cpp" -DUSE_PIX 2>"$dir/log"; then
      echo "$1: a colour that pix3.h refuses compiles: $color"
      failed=1
    fi
    checked=$((checked + 1))
  done
}

c_compiles
for cxx; do
  case $cxx in *NOTFOUND | '') continue ;; esac
  command -v "$cxx" >/dev/null && surface_compiles "$cxx"
done
[ -z "${1:-}" ] || case $1 in *NOTFOUND) ;; *) refuses "$1" && links_alone "$1" ;; esac
echo "$checked compilations"
exit $failed
