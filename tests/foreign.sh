#!/bin/sh
# Builds the program and the golden tests for another machine: s390x (64 bit, the big end first) or
# i386 (32 bit). The compilers come by `make foreign-deps`, the libraries of that machine from the
# package mirror of this one, unpacked beside the build and installed nowhere.
#   tests/foreign.sh MACHINE FOLDER TEST...     FOLDER/run PROGRAM starts what was built there
set -eu
machine=$1 where=$2
shift 2
case $machine in
s390x) triplet=s390x-linux-gnu cross=s390x-linux-gnu ;;
i386) triplet=i386-linux-gnu cross=i686-linux-gnu ;; # many a kernel runs none of its programs
*) echo "foreign: no machine $machine" >&2; exit 2 ;;
esac
mkdir -p "$where"
where=$(cd "$where" && pwd)
libraries=$where/root/usr/lib/$triplet
if [ ! -e "$where/fetched" ]; then
    mkdir -p "$where/lists/partial" "$where/cache/archives/partial" "$where/packages" "$where/root"
    apt="apt-get -qq -o APT::Architecture=$machine -o APT::Architectures::=$machine
        -o Dir::State::Lists=$where/lists -o Dir::Cache=$where/cache -o Dir::State::status=/dev/null
        -o APT::Sandbox::User=root"
    $apt update || : # of several lists one may be out of step; the download says what is missing
    (cd "$where/packages" && $apt download libsqlite3-0 libsqlite3-dev libsodium23 libsodium-dev \
        libcjson1 libcjson-dev libcmark0.30.2 libcmark-dev libxxhash0 libxxhash-dev libcmocka0 libcmocka-dev)
    for package in "$where"/packages/*.deb; do dpkg -x "$package" "$where/root"; done
    : >"$where/fetched"
fi
cat >"$where/run" <<EOF
#!/bin/sh
exec qemu-$machine-static -L /usr/$cross -E LD_LIBRARY_PATH=$libraries:/usr/$cross/lib "\$@"
EOF
chmod +x "$where/run"
export PKG_CONFIG_LIBDIR="$libraries/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$where/root"
cache=
! command -v ccache >/dev/null || cache='ccache '
# Headers under a sysroot are not the system's to the compiler, which then warns of theirs.
exec make -s -j2 CC="$cache$cross-gcc" CFLAGS='-O1 -g0 -Wno-error' LDFLAGS="-Wl,-rpath-link,$libraries" \
    RUN="$where/run" B="$where/build" "$where/build/seeded/sov" \
    $(for test in "$@"; do echo "$where/build/$test"; done)
