#!/bin/sh
# All set-up on a fresh machine: system libraries, then a virtual environment with the tested packages.
# usage: sh setup.sh VENV EXTRAS      e.g.  sh setup.sh .venv video,study,cluster,test,dev
# Name the Python to use with PYTHON=…; else the first of 3.11, 3.12, 3.13 that is found.
set -eu
venv=$1
extras=$2

fits() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; }
makes_venvs() { "$1" -c 'import venv, ensurepip' 2>/dev/null; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 2; }

find_python() {
    python=""
    if [ -n "${PYTHON:-}" ]; then
        fits "$PYTHON" || fail "PYTHON=$PYTHON is not Python 3.11, 3.12 or 3.13; name another, or leave PYTHON out"
        python=$PYTHON
        return
    fi
    for candidate in python3.11 python3.12 python3.13 python3; do
        if fits "$candidate"; then
            python=$candidate
            return
        fi
    done
}

# --- system packages (Debian/Ubuntu names) --------------------------------------------------------
# libegl1 + libgl1 + libgl1-mesa-dri: OpenGL without a screen, for pictures and films
# xvfb: a screen for the tests of the window; admesh: measures meshes beside our own figures; nodejs, npm: run Khronos's glTF validator
# python3 + python3-venv: Debian ships Python without the part that makes virtual environments
tests_wanted() { case ",$extras," in *,test,*) ;; *) false ;; esac; }
test_tools() { tests_wanted && echo Xvfb admesh node npm || true; }
package_of() { case $1 in Xvfb) echo xvfb ;; node) echo nodejs ;; *) echo "$1" ;; esac; }
find_missing() {
    missing=""
    if [ -z "$python" ]; then
        missing=" python3 python3-venv"
    elif ! [ -x "$venv/bin/python" ] && ! makes_venvs "$python"; then
        missing=" $(basename "$("$python" -c 'import sys; print(f"python{sys.version_info[0]}.{sys.version_info[1]}")')")-venv"
    fi
    [ "$(uname -s)" = Linux ] || return 0
    for tool in $(test_tools); do
        command -v "$tool" >/dev/null 2>&1 || missing="$missing $(package_of "$tool")"
    done
    libraries=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null || true)
    case "$libraries" in *libEGL.so.1*) ;; *) missing="$missing libegl1" ;; esac
    case "$libraries" in *libGL.so.1*) ;; *) missing="$missing libgl1" ;; esac
    for drivers in /usr/lib/*/dri/*_dri.so /usr/lib*/dri/*_dri.so /usr/lib/*/libgallium*.so; do
        [ -e "$drivers" ] && return 0
    done
    missing="$missing libgl1-mesa-dri"
}

find_python
find_missing
if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" != 0 ]; then
        echo "These system packages are missing:$missing" >&2
        echo "Install them, then run the same command again. On Debian or Ubuntu:" >&2
        echo "    sudo apt-get update && sudo apt-get install -y$missing" >&2
        exit 2
    fi
    echo "installing system packages:$missing"
    DEBIAN_FRONTEND=noninteractive apt-get update -qq
    # shellcheck disable=SC2086  # a list of names on purpose
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
    find_python
    find_missing
    [ -n "$python" ] || fail "Python 3.11, 3.12 or 3.13 is needed and this system's packages have none; install one and name it with PYTHON=…"
    [ -z "$missing" ] || fail "still missing after installing:$missing"
fi

# --- virtual environment --------------------------------------------------------------------------
# one that is half made, or of a Python that does not do, is made anew
if ! { [ -x "$venv/bin/python" ] && fits "$venv/bin/python" && "$venv/bin/python" -m pip --version >/dev/null 2>&1; }; then
    rm -rf "$venv"
    "$python" -m venv "$venv"
fi
echo "installing packages into $venv; the first time this takes a few minutes"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[$extras]"
if tests_wanted; then
    npm install --silent --no-audit --no-fund --no-save --prefix "$venv/node" gltf-validator@2.0.0-dev.3.10
fi
echo "ready: $("$venv/bin/python" --version) in $venv"
