import { createLeastRecentlyUsed } from '#server/domain/least-recently-used.ts'
import type { Cache, CacheOf, Memory, Turns, TurnsOf } from '#server/ports/memory.ts'
import { createTurns } from './turns.ts'

export function createMemory(): Memory {
  const caches = new Map<string, Cache<unknown>>()
  const lines = new Map<string, Turns>()

  return {
    cache<T>({ name, capacity }: CacheOf<T>): Cache<T> {
      const cache = caches.get(name) ?? createLeastRecentlyUsed<unknown>(capacity)
      caches.set(name, cache)
      // One name has one definition, and so one type of values.
      return cache as Cache<T>
    },
    turns(limits: TurnsOf): Turns {
      const line = lines.get(limits.name) ?? createTurns(limits)
      lines.set(limits.name, line)
      return line
    },
  }
}
