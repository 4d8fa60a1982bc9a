import { describe, expect, test } from 'vitest'
import { createKeptByBytes } from '#server/domain/kept-by-bytes.ts'

const bytes = (length: number) => new Uint8Array(length)

describe('values kept by their bytes', () => {
  test('the least recently used values go when there are too many bytes', () => {
    const kept = createKeptByBytes(100)
    for (const key of ['a', 'b', 'c', 'd']) kept.keep(key, bytes(25))
    kept.find('a')
    kept.keep('e', bytes(20))
    expect(['a', 'b', 'c', 'd', 'e'].filter((key) => kept.find(key))).toEqual(['a', 'c', 'd', 'e'])
  })

  test('a value that is replaced counts once', () => {
    const kept = createKeptByBytes(100)
    for (let times = 0; times < 50; times += 1) kept.keep('a', bytes(25))
    kept.keep('b', bytes(25))
    expect(kept.find('a')).toHaveLength(25)
    expect(kept.find('b')).toHaveLength(25)
  })

  test('a value larger than a quarter is not kept, and pushes nothing out', () => {
    const kept = createKeptByBytes(100)
    kept.keep('a', bytes(10))
    kept.keep('large', bytes(26))
    expect(kept.find('large')).toBeUndefined()
    expect(kept.find('a')).toHaveLength(10)
  })

  test('a value that grew too large is forgotten', () => {
    const kept = createKeptByBytes(100)
    kept.keep('a', bytes(10))
    kept.keep('a', bytes(26))
    expect(kept.find('a')).toBeUndefined()
  })
})
