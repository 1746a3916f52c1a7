# Sourced by ./mvnw and ./unjank: leaves JAVA_HOME naming a JDK of at least $unjank_jdk, or says in one line what is missing.
# JAVA_HOME wins if it is new enough; then JAVA_25_HOME, the java on the PATH, and the places where JDKs are usually installed.

unjank_jdk=25

# Whether folder $1 is a JDK that is new enough, by its release file: no JVM is started, nor any other process, at each start.
jdk_new_enough() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  jdk_found=
  while IFS= read -r jdk_line; do
    case $jdk_line in
      JAVA_VERSION=\"[0-9]*)
        jdk_found=${jdk_line#JAVA_VERSION=\"}
        jdk_found=${jdk_found%%[!0-9]*}
        ;;
    esac
  done <"$1/release"
  [ -n "$jdk_found" ] && [ "$jdk_found" -ge "$unjank_jdk" ]
}

find_jdk() {
  if [ -n "${JAVA_HOME-}" ] && jdk_new_enough "$JAVA_HOME"; then
    return 0
  fi
  jdk_on_path=$(command -v javac 2>/dev/null || :)
  [ -z "$jdk_on_path" ] || jdk_on_path=$(readlink -f "$jdk_on_path" 2>/dev/null || echo "$jdk_on_path")
  set +f # the patterns below are meant to be expanded
  for jdk_home in "${JAVA_25_HOME-}" "${jdk_on_path%/bin/javac}" \
    /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
    "${SDKMAN_DIR:-${HOME-}/.sdkman}"/candidates/java/* "${HOME-}"/.jdks/* \
    "${HOME-}"/.asdf/installs/java/* "${HOME-}"/.local/share/mise/installs/java/* \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME-}"/Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -n "$jdk_home" ] && jdk_new_enough "$jdk_home"; then
      JAVA_HOME=$jdk_home
      export JAVA_HOME
      return 0
    fi
  done
  echo "unjank: no JDK $unjank_jdk or newer found; install one (any vendor) or point JAVA_HOME at it" >&2
  return 1
}

find_jdk || exit 1
