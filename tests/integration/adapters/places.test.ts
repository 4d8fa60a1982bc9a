import { expect, test } from 'vitest'
import { createPlaces } from '#server/adapters/places.ts'

const share = (key: string, most: number) => ({ key, most })

test('places: given out until all are taken, and again when one is free', () => {
  const places = createPlaces({ name: 'test', places: 2 })
  const first = places.take([])
  expect(places.take([])).toBeTypeOf('function')
  expect(places.take([])).toBe('places')
  if (typeof first === 'string') throw new Error(first)
  first()
  first()
  expect(places.take([])).toBeTypeOf('function')
  expect(places.take([])).toBe('places')
})

test('places: each share is counted, and one that is used up takes no place', () => {
  const places = createPlaces({ name: 'test', places: 4 })
  const inner = [share('house', 1), share('street', 2)]
  const taken = places.take(inner)
  expect(places.take(inner)).toBe('share')
  expect(places.take([share('other house', 1), share('street', 2)])).toBeTypeOf('function')
  expect(places.take([share('third house', 1), share('street', 2)])).toBe('share')
  if (typeof taken === 'string') throw new Error(taken)
  taken()
  expect(places.take(inner)).toBeTypeOf('function')
  expect(places.take([])).toBeTypeOf('function')
  expect(places.take([])).toBeTypeOf('function')
  expect(places.take([])).toBe('places')
})
