#!/bin/sh
# All set-up on a fresh machine: system libraries, then a virtual environment with the tested packages.
# usage: sh setup.sh VENV EXTRAS      e.g.  sh setup.sh .venv video,test,dev
set -eu
venv=$1
extras=$2

# --- system packages (Debian/Ubuntu names) --------------------------------------------------------
# libegl1 + libgl1 + libgl1-mesa-dri: OpenGL without a screen, for pictures and films
# python3-venv: Debian ships Python without the part that makes virtual environments
missing=""
need() { case " $missing " in *" $1 "*) ;; *) missing="$missing $1" ;; esac; }

python=""
for candidate in ${PYTHON:-} python3.11 python3.12 python3.13 python3; do
    if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] || need python3
[ -n "$python" ] && "$python" -c 'import venv, ensurepip' 2>/dev/null || need python3-venv

if [ "$(uname -s)" = Linux ]; then
    libraries=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null || true)
    case "$libraries" in *libEGL.so.1*) ;; *) need libegl1 ;; esac
    case "$libraries" in *libGL.so.1*) ;; *) need libgl1 ;; esac
    ls /usr/lib/*/dri/*_dri.so >/dev/null 2>&1 || ls /usr/lib*/dri/*_dri.so >/dev/null 2>&1 \
        || ls /usr/lib/*/libgallium*.so >/dev/null 2>&1 || need libgl1-mesa-dri
fi

if [ -n "$missing" ]; then
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        echo "installing system packages:$missing"
        DEBIAN_FRONTEND=noninteractive apt-get update -qq
        # shellcheck disable=SC2086  # a list of names on purpose
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
    else
        echo "These system packages are missing:$missing" >&2
        echo "Install them, then run the same command again. On Debian or Ubuntu:" >&2
        echo "    sudo apt-get install -y$missing" >&2
        exit 2
    fi
    [ -n "$python" ] || python=python3
fi
"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || {
    echo "stakd needs Python 3.11, 3.12 or 3.13; $("$python" --version) was found. Name another with PYTHON=…" >&2
    exit 2
}

# --- virtual environment --------------------------------------------------------------------------
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[$extras]"
echo "ready: $("$venv/bin/python" --version) in $venv"
