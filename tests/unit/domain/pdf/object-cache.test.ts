import { expect, test } from 'vitest'
import { objectCache } from '#server/domain/pdf/loading/object-cache.ts'
import { byteString, type IndirectObject, type PdfObject } from '#server/domain/pdf/object.ts'

const MEGABYTE = 1 << 20

const DATA = byteString(new Uint8Array(MEGABYTE))
const objectOf = (number: number, value: PdfObject): IndirectObject => ({
  number,
  generation: 0,
  value,
})

/** A cache into which objects of one megabyte were put, from 1 on. */
function cacheOf(count: number) {
  const cache = objectCache()
  for (let number = 1; number <= count; number++) cache.set(number, objectOf(number, DATA))
  return cache
}

test('objects that fit are kept, missing ones too', () => {
  const cache = cacheOf(10)
  cache.set(11, undefined)
  expect(cache.get(1)?.object?.number).toBe(1)
  expect(cache.get(11)).toMatchObject({ object: undefined })
  expect(cache.get(12)).toBeUndefined()
})

test('of many objects, the first and the last ones are kept', () => {
  const cache = cacheOf(1000)
  expect(cache.get(1)?.object?.number).toBe(1)
  expect(cache.get(1000)?.object?.number).toBe(1000)
  expect(cache.get(500)).toBeUndefined()
})

test('an object that is used stays, however many others are read', () => {
  const cache = cacheOf(100)
  for (let number = 101; number <= 1000; number++) {
    expect(cache.get(100)?.object?.number).toBe(100)
    cache.set(number, objectOf(number, DATA))
  }
})

test('tiny objects count with the memory that they take', () => {
  const cache = objectCache()
  const nothing = objectOf(1, byteString(new Uint8Array()))
  const numbers = Array.from({ length: 300_000 }, (_, at) => at)
  for (const number of numbers) cache.set(number, nothing)
  expect(numbers.filter((number) => cache.get(number)).length).toBeLessThan(180_000)
})
