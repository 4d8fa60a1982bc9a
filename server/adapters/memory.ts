import { createLeastRecentlyUsed } from '#server/domain/least-recently-used.ts'
import type {
  Cache,
  CacheOf,
  Memory,
  Places,
  PlacesOf,
  Queue,
  QueueOf,
  SharedOf,
} from '#server/ports/memory.ts'
import { createPlaces } from './places.ts'
import { createQueue } from './queue.ts'

export function createMemory(): Memory {
  const caches = new Map<string, Cache<unknown>>()
  const queues = new Map<string, Queue>()
  const values = new Map<string, unknown>()
  const allPlaces = new Map<string, Places>()

  return {
    cache<T>({ name, capacity }: CacheOf<T>): Cache<T> {
      const cache = caches.get(name) ?? createLeastRecentlyUsed<unknown>(capacity)
      caches.set(name, cache)
      // One name has one definition, and so one type of values.
      return cache as Cache<T>
    },
    queue(limits: QueueOf): Queue {
      const queue = queues.get(limits.name) ?? createQueue(limits)
      queues.set(limits.name, queue)
      return queue
    },
    shared<T>({ name, make }: SharedOf<T>): T {
      if (!values.has(name)) values.set(name, make())
      return values.get(name) as T
    },
    places(limits: PlacesOf): Places {
      const places = allPlaces.get(limits.name) ?? createPlaces(limits)
      allPlaces.set(limits.name, places)
      return places
    },
  }
}
