import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import express, { type NextFunction, type Request, type Response } from 'express'
import { afterEach, expect, test } from 'vitest'
import { assignRequestId } from '#server/web/request-guards.ts'
import { shedLoad } from '#server/web/shed-load.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** What the work of a page takes. */
const PAGE_MS = 30

/** As many are always served, behind those that are refused. */
const FEW = 16

/** The first begins before the others come, the next one then, the others after so many pages, and the last few late. */
const servedWithin = (wait: number) => 2 + Math.floor(wait / PAGE_MS) + FEW

/**
 * A server that gathers so many requests and then handles all of them in one turn, as a crowd comes. Each that begins takes
 * `pageMs` of its clock.
 */
async function gathering(count: number, pageMs = PAGE_MS) {
  const counts = { shed: 0, begun: [] as string[] }
  let clock = 0
  const handle = shedLoad({
    shed() {
      counts.shed += 1
    },
    now: () => clock,
  })
  const gathered: [Request, Response, NextFunction][] = []
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const app = express()
    .set('trust proxy', 'loopback')
    .use(assignRequestId, (request, response, next) => {
      gathered.push([request, response, next])
      if (gathered.length === count) resolve()
    })
    .use((request, response) => {
      counts.begun.push(request.path)
      clock += pageMs
      response.send('done')
    })
  const server = createServer(app).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    counts,
    gathered,
    async release() {
      await all
      for (const args of gathered) handle(...args)
    },
  }
}

const asked = async (address: string, init?: RequestInit) => {
  const { status, headers, ...answer } = await fetch(address, init).then(async (one) => ({
    ...{ status: one.status, headers: one.headers, text: await one.text() },
  }))
  return { status, headers, ...answer }
}

test('shed load: of a crowd those whose turn comes in time are served', async () => {
  const { address, counts, release } = await gathering(100)
  const crowd = Promise.all(Array.from({ length: 100 }, () => asked(address)))
  await release()
  const answers = await crowd
  const refused = answers.filter(({ status }) => status === 503)
  const served = answers.filter(({ status }) => status === 200)
  expect(served).toHaveLength(servedWithin(1_200))
  expect(refused).toHaveLength(100 - served.length)
  expect(counts.shed).toBe(refused.length)
  for (const { headers, text } of refused) {
    expect(headers.get('retry-after')).toBe('3')
    expect(text).toContain('Hay demasiadas solicitudes')
  }
})

test('shed load: requests begin in the order in which they came', async () => {
  const { address, counts, gathered, release } = await gathering(20)
  const crowd: Promise<unknown>[] = []
  for (let number = 0; number < 20; number += 1) crowd.push(asked(`${address}/${number}`))
  await release()
  await Promise.all(crowd)
  expect(counts.begun).toEqual(gathered.map(([{ path }]) => path))
  expect(counts.shed).toBe(0)
})

test('shed load: a slow machine answers an office of sixteen users late, and refuses none of them', async () => {
  const { address, counts, release } = await gathering(17, 400)
  const office = Promise.all(Array.from({ length: 17 }, () => asked(address)))
  await release()
  expect((await office).map(({ status }) => status)).toEqual(Array(17).fill(200))
  expect(counts.shed).toBe(0)
})

test('shed load: a form waits longer than a page', async () => {
  const { address, release } = await gathering(120)
  const form = { method: 'POST', body: 'a=b' }
  const crowd = Promise.all(Array.from({ length: 120 }, () => asked(address, form)))
  await release()
  const served = (await crowd).filter(({ status }) => status === 200)
  expect(served).toHaveLength(servedWithin(3_000))
})

test('shed load: a flood from one network keeps the others no longer waiting', async () => {
  const { address, release } = await gathering(90)
  const from = (ip: string) => asked(address, { headers: { 'X-Forwarded-For': ip } })
  const flood = Promise.all(Array.from({ length: 80 }, () => from('203.0.113.7')))
  const others = Promise.all(Array.from({ length: 10 }, (_, last) => from(`198.51.100.${last}`)))
  await release()
  expect((await others).map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect((await flood).some(({ status }) => status === 503)).toBe(true)
})

test('shed load: a flood of forms keeps no page waiting', async () => {
  const { address, counts, gathered, release } = await gathering(81)
  const forms = Array.from({ length: 80 }, () => asked(address, { method: 'POST', body: 'a=b' }))
  await expect.poll(() => gathered.length).toBe(80)
  const page = asked(`${address}/page`)
  await release()
  expect((await page).status).toBe(200)
  await Promise.all(forms)
  expect(counts.begun.indexOf('/page')).toBeLessThan(4)
})

test('shed load: a program gets a problem document', async () => {
  const { address, release } = await gathering(80)
  const calls = Array.from({ length: 80 }, () => asked(`${address}/api/v1/anything`))
  await release()
  const refused = (await Promise.all(calls)).find(({ status }) => status === 503)
  expect(refused?.headers.get('content-type')).toContain('application/problem+json')
  expect(JSON.parse(refused?.text ?? '')).toMatchObject({ code: 'too-busy', status: 503 })
})

test('shed load: a request whose client left while it waited is not begun', async () => {
  const { address, port, counts, gathered, release } = await gathering(3)
  const left = connect(port, '127.0.0.1')
  left.write('GET /left HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => gathered.length).toBe(1)
  const others = [asked(`${address}/one`), asked(`${address}/other`)]
  left.destroy()
  await expect.poll(() => gathered[0]?.[0].destroyed).toBe(true)
  await release()
  await Promise.all(others)
  expect(counts.begun).not.toContain('/left')
})

test('shed load: those that wait for something else keep no page waiting', async () => {
  const app = express().use(assignRequestId, shedLoad(), (request, response) => {
    if (request.path === '/page') response.send('done')
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (let number = 0; number < 300; number += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    // A form whose body never comes, and a request for which no worker is free.
    const head = number % 2 ? 'POST / HTTP/1.1\r\nContent-Length: 10' : 'GET / HTTP/1.1'
    socket.write(`${head}\r\nHost: x\r\n\r\n`)
  }
  expect((await asked(`http://127.0.0.1:${port}/page`)).status).toBe(200)
})
