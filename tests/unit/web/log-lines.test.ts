import { EventEmitter } from 'node:events'
import type { Request, Response } from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { milliseconds } from '#server/domain/time.ts'
import { logConsole } from '#server/web/log-console.ts'
import { logRequests } from '#server/web/log-requests.ts'
import { logSlow } from '#server/web/log-slow.ts'

/** As long as a request line may be. */
const LONG = 'a'.repeat(16_000)

function aLog() {
  const lines: string[] = []
  const write = (fields: object, message: string) =>
    void lines.push(JSON.stringify({ ...fields, message }))
  return { lines, log: { info: write, warn: write, error: write } as never }
}

test('refused request: the line names the beginning of its address', () => {
  const { lines, log } = aLog()
  const response = Object.assign(new EventEmitter(), { statusCode: 421, locals: {} })
  const request = { method: 'GET', path: `/login/${LONG}`, ip: '192.0.2.1' }
  logRequests(log)(request as Request, response as unknown as Response, () => undefined)
  response.emit('finish')
  expect(lines).toEqual([expect.stringContaining('"path":"/login/aaa')])
  expect(lines[0]?.length).toBeLessThan(400)
})

test('answered request: a line for that of a route, none for a file, and a strange method is no label', () => {
  const { lines, log } = aLog()
  const told: unknown[] = []
  const meter = { answered: (request: object) => void told.push(request) }
  const answer = (method: string, path: string, status: number, route?: string) => {
    const locals = { requestId: 'r1', ...(route && { route }) }
    const response = Object.assign(new EventEmitter(), { statusCode: status, locals })
    const request = { method, path, ip: '192.0.2.1' }
    const next = () => undefined
    logRequests(log, meter)(request as Request, response as unknown as Response, next)
    response.emit('finish')
  }
  answer('GET', '/dashboard/documents/7', 200, '/dashboard/documents/:id')
  answer('GET', '/assets/a.js', 200)
  answer('GET', '/nada', 404)
  answer('BREW', '/', 405)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { message: 'answered', path: '/dashboard/documents/7', status: 200, requestId: 'r1' },
    { message: 'refused', method: 'BREW', status: 405 },
  ])
  expect(told).toMatchObject([
    { method: 'GET', route: '/dashboard/documents/:id', status: 200 },
    { route: undefined, status: 200 },
    { route: undefined, status: 404 },
    { method: 'other', status: 405 },
  ])
})

test('printed text: a line, and no longer than the trace of an error', () => {
  const { error, warn } = console
  onTestFinished(() => void Object.assign(console, { error, warn }))
  const { lines, log } = aLog()
  logConsole(log)
  console.warn('the path %s\ncould not be decoded', LONG)
  console.error(new Error(LONG))
  expect(lines.map((line) => [line.length < 4_100, line.includes('\n')])).toEqual([
    [true, false],
    [true, false],
  ])
})

test('minute in which a request waited for more than 200 ms: a line says how long', () => {
  const { lines, log } = aLog()
  const report = logSlow(log)
  report(milliseconds(200))
  expect(lines).toEqual([])
  report(milliseconds(201))
  expect(lines).toEqual(['{"milliseconds":201,"message":"slow"}'])
})
