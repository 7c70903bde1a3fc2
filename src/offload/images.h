// SPDX-License-Identifier: Apache-2.0
// Code that a compiler made for devices: an image, a shared object inside of the program's file, of which each device
// has a copy with variables of its own. What device and host call by one name the host knows by an address of its
// own. Any thread.
#pragma once

#include <cstddef>

#include "base/array.h"
#include "sync/spinlock.h"

namespace tulle::offload {

struct Device;

struct ImageSymbol {
  const void* host;
  const char* name;
  size_t bytes;  // of a variable; 0: a function
};

struct Image {
  const void* owner;  // what the program registered
  const char* begin;
  size_t bytes;
  Array<ImageSymbol> symbols;
  Image* next = nullptr;
};

// What a device has of the images.
class DeviceCode {
 public:
  DeviceCode() = default;
  DeviceCode(const DeviceCode&) = delete;
  DeviceCode& operator=(const DeviceCode&) = delete;

  void* function(const void* host);  // null: none of that name
  // That there is none of that name has been found, for the first time.
  bool note_lack(const void* host);
  bool load(Device& device, const Image& image);
  void unload(Device& device, const Image& image);

 private:
  struct Function {
    const void* host;
    void* here;
  };
  struct Copy {
    const Image* image;
    void* object;
  };

  bool find_in(Device& device, const Image& image);
  size_t first_from(const void* host) const TULLE_UNDER(lock_);
  void add_function(const void* host, void* here);
  void remove_function(const void* host);

  sync::Spinlock lock_;
  Array<Function> functions_ TULLE_GUARDED_BY(lock_);  // in the order of the host's addresses
  Array<const void*> lacks_ TULLE_GUARDED_BY(lock_);
  Array<Copy> copies_;  // W: who loads or unloads
};

// Takes over the image. Devices that there are and share the process get their copies.
void add_image(Image* image);
// Those of this owner, with all copies.
void remove_images(const void* owner);

// All images that there are, for a device that is being made. False: it cannot have one of them.
bool load_images(Device& device);

}  // namespace tulle::offload
