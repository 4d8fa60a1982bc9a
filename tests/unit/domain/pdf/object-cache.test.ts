import { expect, test } from 'vitest'
import { type ObjectCache, objectCache } from '#server/domain/pdf/loading/object-cache.ts'
import { Weigher } from '#server/domain/pdf/loading/weight.ts'
import {
  byteString,
  dictionary,
  type IndirectObject,
  name,
  type PdfObject,
} from '#server/domain/pdf/object.ts'

const MEGABYTE = 1 << 20

const DATA = byteString(new Uint8Array(MEGABYTE))
const objectOf = (number: number, value: PdfObject): IndirectObject => ({
  number,
  generation: 0,
  value,
})

const weigher = new Weigher()
const put = (cache: ObjectCache, number: number, value: PdfObject) =>
  cache.set(number, objectOf(number, value), weigher.weigh(value).bytes)

/** A cache into which objects of one megabyte were put, from 1 on. */
function cacheOf(count: number) {
  const cache = objectCache()
  for (let number = 1; number <= count; number++) put(cache, number, DATA)
  return cache
}

test('objects that fit are kept, missing ones too', () => {
  const cache = cacheOf(10)
  cache.set(11, undefined, 0)
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
    put(cache, number, DATA)
  }
})

test('long names and keys count with the memory that they take', () => {
  const word = 'x'.repeat(MEGABYTE)
  for (const value of [name(word), dictionary({ [word]: true })]) {
    const cache = objectCache()
    for (let number = 1; number <= 1000; number++) put(cache, number, value)
    expect(cache.get(1000)).toBeDefined()
    expect(cache.get(500)).toBeUndefined()
  }
})

test('tiny objects count with the memory that they take', () => {
  const cache = objectCache()
  const nothing = byteString(new Uint8Array())
  const numbers = Array.from({ length: 300_000 }, (_, at) => at)
  for (const number of numbers) put(cache, number, nothing)
  expect(numbers.filter((number) => cache.get(number)).length).toBeLessThan(180_000)
})
