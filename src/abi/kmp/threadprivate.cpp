// SPDX-License-Identifier: Apache-2.0
//
// Threadprivate variables of Flang, of Intel's compilers and of Clang without thread-local storage.
// The cache that each variable comes with would be indexed by global thread numbers, which outlive
// threads here; it stays empty, which compiled code understands.
#include "omp/data/threadprivate.h"

#include "abi/kmp/layout.h"

namespace tulle::kmp {
namespace {

using Construct = void* (*)(void*);
using CopyConstruct = void* (*)(void*, void*);
using Destroy = void (*)(void*);

using VectorConstruct = void* (*)(void*, size_t);
using VectorCopyConstruct = void* (*)(void*, void*, size_t);
using VectorDestroy = void (*)(void*, size_t);

// Between the forms with and without a number of elements, which the number tells apart later.
template <class To, class From>
To as(From function) {
  return reinterpret_cast<To>(reinterpret_cast<void (*)()>(function));
}

}  // namespace

TULLE_KMP void* __kmpc_threadprivate(Ident*, int32_t, void* original, size_t size) {
  return omp::threadprivate(omp::self_or_attach(), original, size);
}

TULLE_KMP void* __kmpc_threadprivate_cached(Ident*, int32_t, void* original, size_t size, void***) {
  return omp::threadprivate(omp::self_or_attach(), original, size);
}

TULLE_KMP void __kmpc_threadprivate_register(Ident*, void* original, Construct construct,
                                             CopyConstruct copy_construct, Destroy destroy) {
  omp::register_threadprivate(original, {construct, copy_construct, destroy, 0});
}

TULLE_KMP void __kmpc_threadprivate_register_vec(Ident*, void* original,
                                                 VectorConstruct construct,
                                                 VectorCopyConstruct copy_construct,
                                                 VectorDestroy destroy, size_t count) {
  omp::register_threadprivate(original, {as<Construct>(construct),
                                         as<CopyConstruct>(copy_construct), as<Destroy>(destroy),
                                         count});
}

}  // namespace tulle::kmp
