# SPDX-License-Identifier: Apache-2.0
# To be sourced: control groups for one command. Version 1 has a hierarchy for each controller, version 2
# one for all.

skip() {
  echo "skipped: $*"
  exit 77
}

# in_group CONTROLLER FILE VALUE [FILE VALUE...] COMMAND...: status of the command, or 77
in_group() {
  local controller=$1 folder=/sys/fs/cgroup group
  shift
  [ -d "$folder/$controller" ] && folder=$folder/$controller
  group=$folder/tulle-test-$$
  mkdir "$group" 2>/dev/null || { echo "no control group can be made in $folder"; return 77; }
  local status=77
  while [[ $1 == *.* ]]; do
    echo "$2" >"$group/$1" 2>/dev/null || { echo "$group has no $1"; rmdir "$group"; return 77; }
    shift 2
  done
  bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"
  status=$?
  for ((i = 0; i < 50; i++)); do
    rmdir "$group" 2>/dev/null && break
    sleep 0.1
  done
  return $status
}
