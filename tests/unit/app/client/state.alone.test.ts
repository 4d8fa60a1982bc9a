import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as client from '#app/client/state.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T15:05:00Z') })
})

afterEach(() => {
  client.clearNotifications()
  vi.useRealTimers()
})

const shown = () => client.currentState().notifications.map(({ message }) => message)
const toast = (message: string, duration?: number) =>
  client.addNotification({ type: 'info', message, ...(duration !== undefined && { duration }) })

test('the state begins as the specification says', () => {
  expect(client.INITIAL_STATE).toEqual({
    sidebarOpen: true,
    theme: 'system',
    notifications: [],
    globalLoading: false,
    loadingMessage: null,
    requiresMFA: false,
    mfaSessionToken: null,
  })
})

test('a notification is named after the time, and two of one moment differ', () => {
  const [first, second] = [toast('a'), toast('b')]
  expect(Number(first)).toBe(Date.parse('2026-11-20T15:05:00Z'))
  expect(Number(second)).toBe(Number(first) + 1)
  expect(client.currentState().notifications[0]).toEqual({
    id: first,
    type: 'info',
    message: 'a',
    duration: 5000,
  })
})

test('notifications go by time, by hand, or all at once', () => {
  toast('five seconds')
  toast('six seconds', 6000)
  const stays = toast('stays', 0)
  toast('stays too', -1)
  vi.advanceTimersByTime(4999)
  expect(shown()).toEqual(['five seconds', 'six seconds', 'stays', 'stays too'])
  vi.advanceTimersByTime(1)
  expect(shown()).toEqual(['six seconds', 'stays', 'stays too'])
  vi.advanceTimersByTime(1000)
  expect(shown()).toEqual(['stays', 'stays too'])
  client.removeNotification(stays)
  expect(shown()).toEqual(['stays too'])
  client.clearNotifications()
  expect(shown()).toEqual([])
})

test('an offer to undo ends with the next message, and leaves the others', () => {
  toast('a')
  client.addNotification({ type: 'success', message: 'b', undo: '1.x', duration: 10_000 })
  client.endUndoOffers()
  expect(shown()).toEqual(['a'])
})

test('the side menu is toggled or set', () => {
  client.toggleSidebar()
  expect(client.currentState().sidebarOpen).toBe(false)
  client.toggleSidebar()
  expect(client.currentState().sidebarOpen).toBe(true)
  client.setSidebarOpen(true)
  expect(client.currentState().sidebarOpen).toBe(true)
})

test('loading state: keeps its message while it lasts', () => {
  client.setGlobalLoading(true, 'Cerrando la sesión…')
  expect(client.currentState()).toMatchObject({
    globalLoading: true,
    loadingMessage: 'Cerrando la sesión…',
  })
  client.setGlobalLoading(false)
  expect(client.currentState()).toMatchObject({ globalLoading: false, loadingMessage: null })
})

test('a challenge is set or cleared', () => {
  client.setMfaChallenge('4d6f')
  expect(client.currentState()).toMatchObject({ requiresMFA: true, mfaSessionToken: '4d6f' })
  client.clearMfaChallenge()
  expect(client.currentState()).toMatchObject({ requiresMFA: false, mfaSessionToken: null })
})

test('client state: a listener gets every change until it unsubscribes', () => {
  const listener = vi.fn()
  const leave = client.subscribe(listener)
  client.setSidebarOpen(true)
  expect(listener).toHaveBeenCalledTimes(1)
  leave()
  client.setSidebarOpen(true)
  expect(listener).toHaveBeenCalledTimes(1)
})
