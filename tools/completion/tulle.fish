# SPDX-License-Identifier: Apache-2.0
# Completion of the tulle command for fish.
set -l commands run env info bench simulate graph stats trace doctor libdir
complete -c tulle -f
complete -c tulle -n "not __fish_seen_subcommand_from $commands" -a run -d 'Run a program on Tulle'
complete -c tulle -n "not __fish_seen_subcommand_from $commands" -a env -d 'Print the lines to copy'
complete -c tulle -n "not __fish_seen_subcommand_from $commands" -a info -d 'Show the machine and the settings'
complete -c tulle -n "not __fish_seen_subcommand_from $commands" -a bench -d 'Measure beside other runtimes'
complete -c tulle -n "not __fish_seen_subcommand_from $commands" -a simulate -d 'Try a policy on any machine'
complete -c tulle -n "not __fish_seen_subcommand_from $commands" -a graph -d 'Show the task graphs of a file'
complete -c tulle -n "not __fish_seen_subcommand_from $commands" -a libdir -d 'Print the folder of the libraries'
complete -c tulle -n "not __fish_seen_subcommand_from $commands" -a stats -d 'Say what the threads of a program did'
complete -c tulle -n "not __fish_seen_subcommand_from $commands" -a trace -d 'Draw what the threads of a program did'
complete -c tulle -n "not __fish_seen_subcommand_from $commands" -a doctor -d 'Look at a running process'
complete -c tulle -l help -d 'Say what there is'
complete -c tulle -n "not __fish_seen_subcommand_from $commands" -l version -d 'Print the version'

set -l sets '__fish_seen_subcommand_from run env stats trace'
complete -c tulle -n $sets -x -s t -l threads -d 'Threads of a region, by level'
complete -c tulle -n $sets -x -l workers -d 'OS threads that run OpenMP threads'
complete -c tulle -n $sets -x -l policy -a 'default spread affinity scatter shared random' -d 'Where threads go'
complete -c tulle -n $sets -x -l wait-policy -a 'active passive'
complete -c tulle -n $sets -x -l blocktime -d 'How long to poll before sleeping'
complete -c tulle -n $sets -x -l levels -d 'Most nested regions with several threads'
complete -c tulle -n $sets -x -l dynamic -a 'true false'
complete -c tulle -n $sets -x -l schedule -a 'static dynamic guided auto'
complete -c tulle -n $sets -x -l places -a 'threads cores ll_caches sockets numa_domains'
complete -c tulle -n $sets -x -l bind -a 'false true primary close spread'
complete -c tulle -n $sets -x -l stacksize -d 'Stack of each thread'
complete -c tulle -n $sets -l share -d 'Divide the CPUs with other processes'
complete -c tulle -n $sets -l compatible
complete -c tulle -n $sets -x -l mpi -a off
complete -c tulle -n $sets -x -l tls -a 'auto whole bare'

complete -c tulle -n '__fish_seen_subcommand_from run' -s v -l verbose -d 'Say which runtime was called'
complete -c tulle -n '__fish_seen_subcommand_from run' -l print -d 'Print the environment'
complete -c tulle -n '__fish_seen_subcommand_from run' -x -a '(__fish_complete_subcommand --fcs-skip=2)'
complete -c tulle -n '__fish_seen_subcommand_from env' -x -l for -a 'shell jupyter systemd docker github slurm module'
complete -c tulle -n '__fish_seen_subcommand_from info simulate' -l json -d 'Print JSON'
complete -c tulle -n '__fish_seen_subcommand_from info simulate' -r -F -l topology -d 'Another machine'
complete -c tulle -n '__fish_seen_subcommand_from info' -l placement -d 'Draw where the teams of a program went'
complete -c tulle -n '__fish_seen_subcommand_from simulate' -x -l policy -a 'spread affinity scatter shared random'
complete -c tulle -n '__fish_seen_subcommand_from simulate' -x -l teams -d 'Team sizes, as 16x4'
complete -c tulle -n '__fish_seen_subcommand_from simulate' -x -l ratio
complete -c tulle -n '__fish_seen_subcommand_from simulate' -l hints
complete -c tulle -n '__fish_seen_subcommand_from simulate' -x -l remote
complete -c tulle -n '__fish_seen_subcommand_from simulate' -x -l tick
complete -c tulle -n '__fish_seen_subcommand_from simulate' -x -l seed
complete -c tulle -n '__fish_seen_subcommand_from simulate' -x -l construct -a 'barrier region fork join reduction additions dynamic monotonic guided'
complete -c tulle -n '__fish_seen_subcommand_from simulate' -r -F -l machine -d 'Of many cores'
complete -c tulle -n '__fish_seen_subcommand_from simulate' -x -l threads -d 'Of the construct'
complete -c tulle -n '__fish_seen_subcommand_from stats' -l json
complete -c tulle -n '__fish_seen_subcommand_from stats' -l html -d 'A page with plots'
complete -c tulle -n '__fish_seen_subcommand_from stats' -l all -d 'Watch all of it'
complete -c tulle -n '__fish_seen_subcommand_from stats' -r -F -s o -l output -d 'In place of standard error'
complete -c tulle -n '__fish_seen_subcommand_from stats' -r -F -l records -d 'Keep what processes wrote'
complete -c tulle -n '__fish_seen_subcommand_from stats' -r -F -l read -d 'Show what they wrote'
complete -c tulle -n '__fish_seen_subcommand_from stats' -x -a '(__fish_complete_subcommand --fcs-skip=2)'
complete -c tulle -n '__fish_seen_subcommand_from trace' -l svg -d 'One picture'
complete -c tulle -n '__fish_seen_subcommand_from trace' -l perfetto -d 'JSON for Perfetto'
complete -c tulle -n '__fish_seen_subcommand_from trace' -l otf2 -d 'OTF2 archive'
complete -c tulle -n '__fish_seen_subcommand_from trace' -r -F -s o -l output -d 'The file to write'
complete -c tulle -n '__fish_seen_subcommand_from trace' -x -l last -d 'The last seconds only'
complete -c tulle -n '__fish_seen_subcommand_from trace' -x -l standstill -d 'Write when nothing happens for so long'
complete -c tulle -n '__fish_seen_subcommand_from trace' -x -l size -d 'Room for events, in MiB'
complete -c tulle -n '__fish_seen_subcommand_from trace' -r -F -l records -d 'Keep what processes wrote'
complete -c tulle -n '__fish_seen_subcommand_from trace' -r -F -l read -d 'Show what they wrote'
complete -c tulle -n '__fish_seen_subcommand_from trace' -x -a '(__fish_complete_subcommand --fcs-skip=2)'
complete -c tulle -n '__fish_seen_subcommand_from doctor' -x -a '(__fish_complete_pids)'
complete -c tulle -n '__fish_seen_subcommand_from graph' -F
complete -c tulle -n '__fish_seen_subcommand_from graph' -x -s n -l number -d 'Only this graph'
complete -c tulle -n '__fish_seen_subcommand_from graph' -x -l schedule -d 'On so many cores'
complete -c tulle -n '__fish_seen_subcommand_from graph' -l svg -d 'Print a picture'
complete -c tulle -n '__fish_seen_subcommand_from graph' -l dot -d 'Print it for Graphviz'
complete -c tulle -n '__fish_seen_subcommand_from graph' -l json
complete -c tulle -n '__fish_seen_subcommand_from bench' -l quick -d 'Two minutes'
complete -c tulle -n '__fish_seen_subcommand_from bench' -x -l only
complete -c tulle -n '__fish_seen_subcommand_from bench' -x -l threads
complete -c tulle -n '__fish_seen_subcommand_from bench' -x -l runtimes
complete -c tulle -n '__fish_seen_subcommand_from bench' -l list
