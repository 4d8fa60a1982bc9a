import { expect, test } from 'vitest'
import { onceAbout } from '#server/domain/pdf/once.ts'

test('once: a function computes its value once for a subject, undefined included', () => {
  const calls: string[] = []
  const once = onceAbout<string>()
  const nothing = (subject: string) => {
    calls.push(subject)
    return undefined
  }
  const length = (subject: string) => subject.length
  expect([once('deed', nothing), once('deed', nothing)]).toEqual([undefined, undefined])
  expect(once('deed', length)).toBe(4)
  expect(calls).toEqual(['deed'])
})

test('once: a function that throws is called again', () => {
  let calls = 0
  const once = onceAbout<string>()
  const failing = () => {
    calls++
    throw new Error('damaged')
  }
  expect(() => once('deed', failing)).toThrow('damaged')
  expect(() => once('deed', failing)).toThrow('damaged')
  expect(calls).toBe(2)
})
