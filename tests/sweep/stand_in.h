#pragma once

#include <sys/stat.h>

#include <string>

#include "tests/platform/elf_builder.h"
#include "tests/platform/temporary_folder.h"

namespace vp {

/// A program that takes the words of a `run` and writes statistics as a run does: its parameters, and the value
/// "area" = a × a. It notes every start in runs.log of the folder. Special values of the parameter `b`: "fail" prints
/// an error and exits with 3, "rude" one that clears terminals, "limit" and "nameless" report and exit with 4, "late"
/// fails behind its statistics, "crash" kills itself, "mute" writes no statistics, "broken" writes half a file, "slow"
/// takes a minute.
inline std::string write_stand_in(const TemporaryFolder& folder, const std::string& name = "stand in") {
  const std::string script = R"sh(#!/bin/sh
[ "$1" = --version ] && { echo "tinytpu-vp 9.9.9"; exit 0; }
stats= a=1 b=x all=
while [ $# -gt 0 ]; do
  case "$1" in
    --stats) stats=$2; shift ;;
    --set) case "$2" in a=*) a=${2#a=} ;; b=*) b=${2#b=} ;; esac; shift ;;
    *) all="$all<$1>" ;;
  esac
  shift
done
echo "a=$a b=$b words=$all in $(pwd)" >> "$(dirname "$0")/runs.log"
echo "running a=$a"
case "$b" in
  fail) echo "tinytpu-vp: the guest fell over" >&2; exit 3 ;;
  rude) printf '\033[2J=cmd\n' >&2; exit 3 ;;
  nameless) printf '{"groups":{"run":{"values":{"exit_code":{"value":4}}}}}' > "$stats"; exit 4 ;;
  limit | late)
    printf '{"groups":{"run":{"values":{"exit_code":{"value":4},"end":{"value":"%s","description":"the limit was reached"}}}}}' "$([ $b = limit ] && echo time_limit)" > "$stats"
    echo "last figure 7"
    [ $b = limit ] && exit 4 || exit 2 ;;
  crash) kill -9 $$ ;;
  mute) exit 0 ;;
  broken) printf '{"values": {' > "$stats"; exit 0 ;;
  slow) sleep 60 ;;
esac
printf '{"values":{"area":{"value":%d,"unit":"mm2","description":"d"}},"groups":{"configuration":{"values":{"a":{"value":"%s","description":"d"},"b":{"value":"%s","description":"d"},"c":{"value":"7","description":"d"}}},"bus":{"values":{"bytes":{"value":%d,"unit":"bytes","description":"d"}}}}}\n' \
  $((a * a)) "$a" "$b" $((a * 100)) > "$stats"
)sh";
  const std::string path = folder.write(name, script);
  ::chmod(path.c_str(), 0755);
  return path;
}

/// A small executable for the command of a sweep, which checks that there is one; returns its path.
inline std::string write_program(const TemporaryFolder& folder, const std::string& name, const std::string& code) {
  ElfBuilder<64> builder(0x80000000);
  builder.add_segment(0x80000000, code, code.size());
  return folder.write(name, builder.build());
}

/// How often the stand-in was started.
inline std::size_t count_runs(const TemporaryFolder& folder) {
  std::size_t lines = 0;
  for (const char c : TemporaryFolder::read(folder.path("runs.log"))) lines += c == '\n';
  return lines;
}

}  // namespace vp
