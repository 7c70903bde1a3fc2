# SPDX-License-Identifier: Apache-2.0
# Completion of the tulle command for bash. What follows `tulle run`'s options is a command line of its own.
_tulle_program_at() { # prints the index of the program in COMP_WORDS, if there is one before the cursor
  local i=2 with_value=" -t --threads --workers --policy --wait-policy --blocktime --levels --dynamic --schedule \
--places --bind --stacksize --tls --mpi --topology -o --output --records --read "
  while [ "$i" -lt "$COMP_CWORD" ]; do
    case ${COMP_WORDS[i]} in
      --) echo $((i + 1)); return ;;
      -*) [[ $with_value == *" ${COMP_WORDS[i]} "* ]] && i=$((i + 1)) ;;
      *) echo "$i"; return ;;
    esac
    i=$((i + 1))
  done
}

_tulle() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words program
  local settings="-t --threads --workers --policy --wait-policy --blocktime --levels --dynamic --schedule --places \
--bind --stacksize --tls --mpi"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "run env info bench simulate graph stats trace doctor libdir --help --version" -- "$current")
    return
  fi
  if [[ ${COMP_WORDS[1]} =~ ^(run|stats|trace)$ ]] || { [ "${COMP_WORDS[1]}" = info ] && [[ " ${COMP_WORDS[*]} " == *" --placement "* ]]; }; then
    program=$(_tulle_program_at)
    if [ -n "$program" ] && declare -F _command_offset >/dev/null; then
      _command_offset "$program"
      return
    fi
  fi
  case $previous in
    --policy) words="default spread affinity scatter shared random" ;;
    --wait-policy) words="active passive" ;;
    --dynamic) words="true false" ;;
    --schedule) words="static dynamic guided auto" ;;
    --places) words="threads cores ll_caches sockets numa_domains" ;;
    --bind) words="false true primary close spread" ;;
    --tls) words="auto whole bare" ;;
    --mpi) words="off" ;;
    --for) words="shell jupyter systemd docker github slurm module" ;;
    --topology | -o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    *)
      case ${COMP_WORDS[1]} in
        run) words="$settings --share --compatible -v --verbose --print --help" ;;
        env) words="$settings --share --compatible --for --help" ;;
        info) words="--json --topology --placement --help" ;;
        simulate) words="--policy --topology --teams --ratio --hints --remote --tick --seed --construct --machine --threads --json --help" ;;
        stats) words="$settings --share --compatible --json --html --all -o --output --records --read --help" ;;
        trace) words="$settings --share --compatible --svg --perfetto --otf2 --last --standstill -o --output --size --records --read --help" ;;
        doctor) words="--help" ;;
        graph) words="-n --number --schedule --svg --dot --json --help" ;;
        bench) words="--quick --only --threads --runtimes --list --help" ;;
      esac
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ ${COMP_WORDS[1]} =~ ^(run|stats|trace)$ ]] && [[ $current != -* ]] && [ "${#COMPREPLY[@]}" -eq 0 ]; then
    mapfile -t COMPREPLY < <(compgen -c -- "$current")
  fi
}
complete -o default -F _tulle tulle
