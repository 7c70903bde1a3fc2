// SPDX-License-Identifier: Apache-2.0
#include "offload/images.h"

#include <dlfcn.h>

#include "base/create.h"
#include "offload/devices.h"
#include "os/object_file.h"
#include "os/report.h"

namespace tulle::offload {

namespace {

TULLE_HELD_AT_FORK sync::Spinlock guarding;
Image* images TULLE_GUARDED_BY(guarding) = nullptr;

// The device's variable instead of the host's. Nothing where the host's is known already.
bool map_variable(Device& device, const ImageSymbol& symbol, void* here) {
  Holding holding(device);
  if (device.table.find_any(symbol.host, symbol.bytes) != nullptr) return true;
  return device.table.insert(symbol.host, symbol.bytes, here, nullptr, kForEver) != nullptr;
}

void forget_variable(Device& device, const ImageSymbol& symbol) {
  Holding holding(device);
  Mapping* mapping = device.table.find(symbol.host, symbol.bytes);
  if (mapping != nullptr && mapping->count == kForEver) device.table.erase(mapping);
}

}  // namespace

size_t DeviceCode::first_from(const void* host) const {
  size_t low = 0, high = functions_.size();
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (functions_[middle].host < host)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void* DeviceCode::function(const void* host) {
  sync::Guard guard(lock_);
  size_t at = first_from(host);
  return at < functions_.size() && functions_[at].host == host ? functions_[at].here : nullptr;
}

bool DeviceCode::note_lack(const void* host) {
  sync::Guard guard(lock_);
  for (const void* known : lacks_)
    if (known == host) return false;
  lacks_.push(host);
  return true;
}

void DeviceCode::add_function(const void* host, void* here) {
  sync::Guard guard(lock_);
  size_t at = first_from(host);
  if (!functions_.push({})) return;
  for (size_t i = functions_.size() - 1; i > at; --i) functions_[i] = functions_[i - 1];
  functions_[at] = {host, here};
}

void DeviceCode::remove_function(const void* host) {
  sync::Guard guard(lock_);
  size_t at = first_from(host);
  if (at == functions_.size() || functions_[at].host != host) return;
  for (; at + 1 < functions_.size(); ++at) functions_[at] = functions_[at + 1];
  functions_.resize(functions_.size() - 1);
}

// What a device in another process has is found there.
bool DeviceCode::find_in(Device& device, const Image& image) {
  for (const ImageSymbol& symbol : image.symbols) {
    void* there = device.operations->find(device, symbol.host, true);
    if (there == nullptr) continue;
    if (symbol.bytes == 0)
      add_function(symbol.host, there);
    else if (!map_variable(device, symbol, there))
      return false;
  }
  return copies_.push({&image, nullptr});
}

bool DeviceCode::load(Device& device, const Image& image) {
  if (device.has_own_addresses()) return find_in(device, image);
  void* object = os::load_object(image.begin, image.bytes);
  if (object == nullptr) {
    const char* why = dlerror();
    os::report("device %d cannot load the program's code for it: %s", device.number, why != nullptr ? why : "no memory");
    return false;
  }
  for (const ImageSymbol& symbol : image.symbols) {
    void* here = dlsym(object, symbol.name);
    if (here == nullptr) continue;
    if (symbol.bytes == 0)
      add_function(symbol.host, here);
    else if (!map_variable(device, symbol, here))
      return false;
  }
  return copies_.push({&image, object});
}

void DeviceCode::unload(Device& device, const Image& image) {
  for (size_t i = 0; i < copies_.size(); ++i) {
    if (copies_[i].image != &image) continue;
    for (const ImageSymbol& symbol : image.symbols) {
      if (symbol.bytes == 0)
        remove_function(symbol.host);
      else
        forget_variable(device, symbol);
    }
    if (copies_[i].object != nullptr) dlclose(copies_[i].object);
    copies_[i] = copies_.back();
    copies_.resize(copies_.size() - 1);
    return;
  }
}

void add_image(Image* image) {
  {
    sync::Guard guard(guarding);
    image->next = images;
    images = image;
  }
  for (int i = 0; i < known_device_count(); ++i)
    if (offload::device(i)->kind == omp::DeviceKind::cluster) offload::device(i)->code.load(*offload::device(i), *image);
}

void remove_images(const void* owner) {
  for (;;) {
    Image* found = nullptr;
    {
      sync::Guard guard(guarding);
      Image** at = &images;
      while (*at != nullptr && (*at)->owner != owner) at = &(*at)->next;
      found = *at;
      if (found == nullptr) return;
      *at = found->next;
    }
    for (int i = 0; i < known_device_count(); ++i) offload::device(i)->code.unload(*offload::device(i), *found);
    destroy(found);
  }
}

bool load_images(Device& device) {
  Image* first;
  {
    sync::Guard guard(guarding);
    first = images;
  }
  for (const Image* image = first; image != nullptr; image = image->next)
    if (!device.code.load(device, *image)) return false;
  return true;
}

}  // namespace tulle::offload
