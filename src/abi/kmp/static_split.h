// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of static loop schedules: which part of an iteration space one member of a team
// (or one team of a league) executes. Pure functions, no state, no calls; bounds are inclusive, the
// step has either sign and is never 0. All sums are taken modulo 2^N, so a space may touch both ends
// of its type.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace tulle::kmp {

// One of `count` members of a team, or teams of a league.
struct Share {
  uint32_t number;
  uint32_t count;
};

template <class T>
struct Bounds {
  using U = std::make_unsigned_t<T>;
  using S = std::make_signed_t<T>;
  T lower;
  T upper;

  bool empty(S step) const { return step > 0 ? upper < lower : lower < upper; }

  // Iterations less one, which cannot overflow. The space is not empty.
  U last_index(S step) const {
    if (step == 1) return U(upper) - U(lower);
    return step > 0 ? (U(upper) - U(lower)) / U(step) : (U(lower) - U(upper)) / (U(0) - U(step));
  }

  // The value of the iteration with this index.
  T at(U index, S step) const { return T(U(lower) + index * U(step)); }

  // A space that no iteration belongs to, in place of this one. It stays empty at the ends of the
  // type as well.
  Bounds emptied(S step) const {
    if (step > 0) {
      return lower == std::numeric_limits<T>::min() ? Bounds{T(U(lower) + 1), lower}
                                                    : Bounds{lower, T(U(lower) - 1)};
    }
    return lower == std::numeric_limits<T>::max() ? Bounds{T(U(lower) - 1), lower}
                                                  : Bounds{lower, T(U(lower) + 1)};
  }
};

template <class T>
struct Part {
  Bounds<T> bounds;
  std::make_signed_t<T> stride;  // from one chunk of this member to its next
  bool last;                     // holds the last iteration of the space
};

// One contiguous piece a member; the first ones are longer by one if it does not come out even.
template <class T>
Part<T> split_even(Bounds<T> space, std::make_signed_t<T> step, Share share) {
  using U = std::make_unsigned_t<T>;
  using S = std::make_signed_t<T>;
  const U last = space.last_index(step);
  const S stride = S(last * U(step) + U(step));
  // last / count and the remainder stand for last + 1 iterations, which may not fit.
  const U count = U(share.count);
  U size = last / count;
  U longer = last % count + 1;
  if (longer == count) {
    size++;
    longer = 0;
  }
  const U number = U(share.number);
  const U first = number * size + (number < longer ? number : longer);
  const U mine = size + (number < longer ? 1 : 0);
  if (mine == 0) return {space.emptied(step), stride, false};
  const Bounds<T> bounds{space.at(first, step), space.at(first + mine - 1, step)};
  return {bounds, stride, first + mine - 1 == last};
}

// Chunks dealt out in turn. `bounds` is the member's first chunk, cut at the end of the space; the
// caller moves it on by `stride` and cuts the later ones.
template <class T>
Part<T> split_chunked(Bounds<T> space, std::make_signed_t<T> step, Share share,
                      std::make_signed_t<T> chunk) {
  using U = std::make_unsigned_t<T>;
  using S = std::make_signed_t<T>;
  const U size = chunk < 1 ? 1 : U(chunk);
  const U last = space.last_index(step);
  const U last_chunk = last / size;
  const U number = U(share.number);
  const S stride = S(size * U(step) * U(share.count));
  if (number > last_chunk) return {space.emptied(step), stride, false};
  const U first = number * size;
  const T upper = number == last_chunk ? space.upper : space.at(first + size - 1, step);
  return {{space.at(first, step), upper}, stride, last_chunk % U(share.count) == number};
}

// One contiguous piece a member, each a multiple of `chunk` long but the last (simd schedules).
template <class T>
Part<T> split_even_chunks(Bounds<T> space, std::make_signed_t<T> step, Share share,
                          std::make_signed_t<T> chunk) {
  using U = std::make_unsigned_t<T>;
  using S = std::make_signed_t<T>;
  const U last = space.last_index(step);
  const U align = chunk < 1 ? 1 : U(chunk);
  const U chunks = last / align;  // less one
  const U span = (chunks / U(share.count) + 1) * align;
  const S stride = S(span * U(step) * U(share.count));
  const U before = U(share.number) * (span / align);  // chunks of the members before this one
  if (before > chunks) return {space.emptied(step), stride, false};
  const U first = before * align;
  const bool is_last = last - first < span;
  const U end = is_last ? last : first + span - 1;
  return {{space.at(first, step), space.at(end, step)}, stride, is_last};
}

}  // namespace tulle::kmp
