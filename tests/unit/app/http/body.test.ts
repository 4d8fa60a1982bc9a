import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import {
  FIELD_COUNT_LIMIT,
  FIELD_LIMIT,
  FIELD_NAME_LIMIT,
  multipartParser,
  readBytes,
  readEntries,
  streamFile,
  wipeFiles,
} from '#app/http/body.ts'

const BOUNDARY = 'limite'

function part(disposition: string, content: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
}

function formOf(...parts: string[]): Request {
  return new Request('http://localhost/', {
    method: 'POST',
    headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: `${parts.join('')}--${BOUNDARY}--\r\n`,
  })
}

const title = part('name="title"', 'Escritura')
const file = (content: string) => part('name="file"; filename="a.pdf"', content)
const LARGE = 'x'.repeat(1_000_000)

test('a file is handed on with the fields before it', async () => {
  const result = await streamFile(
    formOf(title, file('%PDF-')),
    async (entries, { name, chunks }) => {
      let content = ''
      for await (const chunk of chunks) content += Buffer.from(chunk).toString()
      return { entries, name, content }
    },
  )
  expect(result).toEqual({ entries: [['title', 'Escritura']], name: 'a.pdf', content: '%PDF-' })
})

test('form: a file that is not read to its end does not block the other fields', async () => {
  await expect(streamFile(formOf(file(LARGE)), async () => 'done')).resolves.toBe('done')
})

test('a refusal of the file comes through, with the file unread', async () => {
  const refusal = streamFile(formOf(file(LARGE)), async () => {
    throw new Error('no')
  })
  await expect(refusal).rejects.toThrow('no')
})

/** A body that begins with this text, has the other a little later, and then stalls. */
function stalled(text: string, later = '') {
  const seen = { isCancelled: false }
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
      await pause(50)
      if (later) controller.enqueue(new TextEncoder().encode(later))
    },
    cancel: () => {
      seen.isCancelled = true
    },
  })
  const headers = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }
  const init = { method: 'POST', headers, body, duplex: 'half' }
  return { seen, request: new Request('http://localhost/', init as RequestInit) }
}

test('a refusal of the file does not wait for the rest of the form', async () => {
  const { request } = stalled(file(LARGE))
  const refusal = streamFile(request, async () => {
    throw new Error('no')
  })
  await expect(refusal).rejects.toThrow('no')
})

test('a body over the limit is refused and left as it is: closing it would close the connection', async () => {
  const { request, seen } = stalled('x'.repeat(11))
  await expect(readBytes(request, 10)).rejects.toMatchObject({ code: 'too-large' })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(seen.isCancelled).toBe(false)
})

test.each([
  ['a form without a file', formOf(title), 'bad-request'],
  ['a field behind the file', formOf(file('x'), title), 'bad-request'],
  [
    'a field over the limit',
    formOf(part('name="title"', 'x'.repeat(FIELD_LIMIT + 1)), file('x')),
    'too-large',
  ],
])('%s is refused', async (_, request, code) => {
  await expect(streamFile(request, async () => 'done')).rejects.toMatchObject({ code })
})

test('a small form over the limit is refused', async () => {
  const request = new Request('http://localhost/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `email=${LARGE}`,
  })
  await expect(readEntries(request)).rejects.toMatchObject({ code: 'too-large' })
})

test('small files behind the large one are there once it was read', async () => {
  const behind = part('name="constancia"; filename="c.tsr"', 'constancia')
  const read = await streamFile(
    formOf(title, file(LARGE), behind),
    async (_, { chunks }, smallFiles) => {
      let size = 0
      for await (const chunk of chunks) size += chunk.length
      const found = (await smallFiles).get('constancia')
      return [size, found?.name, Buffer.from(found?.bytes ?? []).toString()]
    },
    { smallFiles: 1 },
  )
  expect(read).toEqual([LARGE.length, 'c.tsr', 'constancia'])
})

test.each([
  ['of which none may come', 'x', 0, 'nothing'],
  ['that is not small', 'x'.repeat(FIELD_LIMIT + 1), 1, 'too-large'],
])('a file behind the file %s', async (_, content, smallFiles, outcome) => {
  const behind = part('name="constancia"; filename="c.tsr"', content)
  const answer = streamFile(
    formOf(file('x'), behind),
    async (_entries, { chunks }, files) => {
      for await (const _chunk of chunks);
      return (await files).get('constancia')?.name ?? 'nothing'
    },
    { smallFiles },
  )
  if (outcome === 'nothing') await expect(answer).resolves.toBe(outcome)
  else await expect(answer).rejects.toMatchObject({ code: outcome })
})

test('form: a refused form rejects pending reads of its small files', async () => {
  const late = stalled(file('x') + title.slice(0, -2), title.slice(-2) + title)
  let read: Promise<unknown> | undefined
  const answer = streamFile(late.request, (_entries, { chunks }, smallFiles) => {
    read = Array.fromAsync(chunks).then(() => smallFiles)
    return read
  })
  await expect(answer).rejects.toMatchObject({ code: 'bad-request' })
  const reading = Promise.race([read, pause(2_000)])
  await expect(reading).rejects.toMatchObject({ code: 'bad-request' })
})

/** A form that goes on for 20 MB behind a field with a name that is too long, and how much of it was asked for. */
function longForm() {
  const seen = { sent: 0 }
  const chunk = new TextEncoder().encode(LARGE.slice(0, 64 * 1024))
  async function* all() {
    const field = part(`name="${'n'.repeat(FIELD_NAME_LIMIT + 1)}"`, 'x')
    yield new TextEncoder().encode(`${field}--${BOUNDARY}\r\n`)
    yield new TextEncoder().encode('Content-Disposition: form-data; name="title"\r\n\r\n')
    for (; seen.sent < 320 * chunk.length; seen.sent += chunk.length) yield chunk
  }
  const init = {
    method: 'POST',
    headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Readable.toWeb(Readable.from(all())),
    duplex: 'half',
  }
  return { seen, request: new Request('http://localhost/', init as RequestInit) }
}

test.each<[string, (request: Request) => Promise<unknown>]>([
  ['small form', readEntries],
  ['form with a file', (request) => streamFile(request, async () => 'done')],
])('a %s that is refused: is not read any further', async (_, read) => {
  const { request, seen } = longForm()
  await expect(read(request)).rejects.toMatchObject({ code: 'bad-request' })
  await pause(100)
  expect(seen.sent).toBeLessThan(2_000_000)
})

test('form: wiping a small file leaves no copy', async () => {
  const concat = vi.spyOn(Buffer, 'concat')
  const key = 'la clave privada de alguien'
  const entries = await readEntries(formOf(title, file(key)))
  expect(entries).toMatchObject([
    ['title', 'Escritura'],
    ['file', { bytes: new Uint8Array(Buffer.from(key)) }],
  ])
  wipeFiles(entries)
  const copies = concat.mock.results.map(({ value }) => String(value))
  concat.mockRestore()
  expect(copies.filter((copy) => copy.includes(key))).toEqual([])
})

function urlencoded(body: string): Request {
  return new Request('http://localhost/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body,
  })
}

const manyFields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`)
const longName = 'n'.repeat(FIELD_NAME_LIMIT + 1)
const longValue = 'x'.repeat(FIELD_LIMIT + 1)

describe.each([
  [
    'urlencoded',
    (fields: [string, string][]) => urlencoded(new URLSearchParams(fields).toString()),
  ],
  [
    'multipart',
    (fields: [string, string][]) =>
      formOf(...fields.map(([name, value]) => part(`name="${name}"`, value))),
  ],
])('a form that is %s', (_, form) => {
  test.each<[string, [string, string][], string]>([
    [
      'a field too many',
      manyFields(FIELD_COUNT_LIMIT + 1).map((name) => [name, 'x']),
      'bad-request',
    ],
    ['a name that is too long', [[longName, 'x']], 'bad-request'],
    ['a value that is too long', [['title', longValue]], 'too-large'],
  ])('is refused with %s', async (_, fields, code) => {
    await expect(readEntries(form(fields))).rejects.toMatchObject({ code })
  })

  test('is taken at each of these limits', async () => {
    const fields = manyFields(FIELD_COUNT_LIMIT).map((name): [string, string] => [name, 'x'])
    fields[0] = [longName.slice(1), longValue.slice(1)]
    await expect(readEntries(form(fields))).resolves.toEqual(fields)
  })

  test('has more fields where its page has more', async () => {
    const fields = manyFields(FIELD_COUNT_LIMIT + 1).map((name): [string, string] => [name, 'x'])
    const read = readEntries(form(fields), { maxFields: FIELD_COUNT_LIMIT + 1 })
    await expect(read).resolves.toHaveLength(FIELD_COUNT_LIMIT + 1)
  })
})

test('a field with a file in the form has a name that is not too long', async () => {
  const request = formOf(part(`name="${longName}"; filename="a.cer"`, 'x'))
  await expect(readEntries(request)).rejects.toMatchObject({ code: 'bad-request' })
})

test('a small file at the limit is taken, a byte more is refused', async () => {
  const read = (length: number) =>
    readEntries(formOf(part('name="key"; filename="e.key"', 'x'.repeat(length))))
  const [entry] = await read(FIELD_LIMIT)
  expect(entry).toMatchObject(['key', { bytes: { length: FIELD_LIMIT } }])
  await expect(read(FIELD_LIMIT + 1)).rejects.toMatchObject({ code: 'too-large' })
})

test('a value is measured as it was sent to be read, not as it was written', async () => {
  const letters = 'ñ'.repeat(FIELD_LIMIT / 2)
  const read = (value: string) => readEntries(urlencoded(new URLSearchParams({ value }).toString()))
  await expect(read(letters)).resolves.toEqual([['value', letters]])
  await expect(read(`${letters}n`)).rejects.toMatchObject({ code: 'too-large' })
})

test.each(['multipart/mixed', 'multipart/form-dataset', 'text/plain', 'application/json'])(
  'a form of type %s is refused, whatever is in it',
  async (type) => {
    const whole = formOf(title)
    const headers = { 'Content-Type': `${type}; boundary=${BOUNDARY}` }
    const request = new Request(whole.url, { method: 'POST', headers, body: await whole.text() })
    await expect(readEntries(request)).rejects.toMatchObject({ code: 'bad-request' })
  },
)

type CutOff = 'ends' | 'fails' | 'fails without a reason'

/** A form that comes in these pieces, and ends or fails within its file. */
function cutOff(pieces: readonly string[], how: CutOff): Request {
  const body = new ReadableStream({
    async start(controller) {
      for (const piece of pieces) {
        controller.enqueue(new TextEncoder().encode(piece))
        await pause(20)
      }
      if (how === 'ends') controller.close()
      else controller.error(how === 'fails' ? new Error('the client is gone') : undefined)
    },
  })
  const headers = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }
  const init = { method: 'POST', headers, body, duplex: 'half' }
  return new Request('http://localhost/', init as RequestInit)
}

test.each<CutOff>(['ends', 'fails', 'fails without a reason'])(
  'a form that %s within its file: is a bad request, for its reader too',
  async (how) => {
    let seen: unknown
    const answer = streamFile(cutOff([file(LARGE)], how), async (_, { chunks }) => {
      try {
        for await (const _chunk of chunks);
      } catch (error) {
        seen = error
        throw error
      }
    })
    await expect(answer).rejects.toMatchObject({ code: 'bad-request' })
    if (how !== 'ends') await expect.poll(() => seen).toMatchObject({ code: 'bad-request' })
  },
)

test.each<CutOff>(['ends', 'fails', 'fails without a reason'])(
  'a form that %s within a small file: what was read of it is overwritten',
  async (how) => {
    const key = 'la clave privada de alguien'
    const wiped: string[] = []
    const fill = vi.spyOn(Buffer.prototype, 'fill').mockImplementation(function (this: Buffer) {
      wiped.push(this.toString('latin1'))
      return this
    } as never)
    const text = part('name="key"; filename="e.key"', key + 'x'.repeat(5_000))
    await expect(readEntries(cutOff([text.slice(0, -2)], how))).rejects.toMatchObject({
      code: 'bad-request',
    })
    fill.mockRestore()
    expect(wiped.join('')).toContain(key)
  },
)

test.each<[string, (request: Request) => Promise<unknown>]>([
  ['small form', readEntries],
  ['form with a large file', (request) => streamFile(request, () => pause(50))],
  [
    'form with a small file behind a large one',
    (request) => streamFile(request, () => pause(50), { smallFiles: 1 }),
  ],
])('a %s that ends within its last file: ends no process', async (_, read) => {
  const crashes: unknown[] = []
  const note = (error: unknown) => crashes.push(error)
  process.on('uncaughtException', note)
  const [mark, ...key] = part('name="key"; filename="e.key"', 'dos')
    .slice(0, -2)
    .split(/(?<=\n)/)
  const form = cutOff([file('uno') + mark, key.join('')], 'ends')
  try {
    await expect(read(form)).rejects.toMatchObject({ code: 'bad-request' })
  } finally {
    process.off('uncaughtException', note)
  }
  expect(crashes).toEqual([])
})

test('a small file that is still parsed after its form was refused: is not kept', async () => {
  const key = 'la clave privada de alguien'
  const copied: string[] = []
  const set = Uint8Array.prototype.set
  Uint8Array.prototype.set = function (from, at) {
    copied.push(Buffer.from(from as Uint8Array).toString('latin1'))
    set.call(this, from, at)
  }
  const refused = part(`name="${longName}"`, 'x') + part('name="title"', 'x'.repeat(20_000))
  const form = formOf(refused, part('name="key"; filename="e.key"', key))
  try {
    await expect(readEntries(form)).rejects.toMatchObject({ code: 'bad-request' })
    await pause(100)
  } finally {
    Uint8Array.prototype.set = set
  }
  expect(copied.filter((text) => text === key)).toEqual([])
})

test.each(['application/x-www-form-urlencoded', `multipart/form-data; boundary=${BOUNDARY}`])(
  'form without a body, of type %s: is a bad request',
  async (type) => {
    const empty = () =>
      new Request('http://localhost/', { method: 'POST', headers: { 'Content-Type': type } })
    await expect(readEntries(empty())).rejects.toMatchObject({ code: 'bad-request' })
    await expect(readBytes(empty(), 10)).rejects.toMatchObject({ code: 'bad-request' })
  },
)

test('form with a large file: that it came too slowly is told as that', async () => {
  // Each byte seems to take minutes.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 600_000
    return now
  })
  try {
    const read = streamFile(formOf(title, file('x')), async () => 'done', { isPaced: true })
    await expect(read).rejects.toMatchObject({ code: 'too-slow' })
  } finally {
    clock.mockRestore()
  }
})

test('form without a boundary: is refused, not read', () => {
  const request = new Request('http://localhost/', {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data' },
    body: 'x',
  })
  expect(() => multipartParser(request, { fileSize: 1, files: 1 })).toThrow(
    expect.objectContaining({ code: 'bad-request' }),
  )
})

test('file under a name that is too long: is refused', async () => {
  const named = part(`name="${'n'.repeat(FIELD_NAME_LIMIT + 1)}"; filename="a.pdf"`, 'x')
  const read = streamFile(
    formOf(title, named),
    async (_, { chunks }) => await Array.fromAsync(chunks),
  )
  await expect(read).rejects.toMatchObject({ code: 'bad-request' })
})
