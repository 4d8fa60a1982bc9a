import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FIELD_LIMIT, type FormEntries, type StreamedFile } from '#app/http/body.ts'
import { type StreamedFiles, streamFiles } from '#app/http/stream-files.ts'

const BOUNDARY = 'limite'
const END = `--${BOUNDARY}--\r\n`

const part = (disposition: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
const title = part('name="title"', 'Escritura')
const file = (name: string, content: string) => part(`name="file"; filename="${name}"`, content)

/** A form in chunks of this many characters. */
function formOf(text: string, size = 10_000): Request {
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  const bytes = pieces.map((piece) => new TextEncoder().encode(piece))
  return new Request('http://localhost/', {
    method: 'POST',
    headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Readable.toWeb(Readable.from(bytes)),
    duplex: 'half',
  } as RequestInit)
}

const LARGE = 'x'.repeat(1_000_000)

async function lengthOf({ chunks }: StreamedFile): Promise<number> {
  let length = 0
  for await (const chunk of chunks) length += chunk.length
  return length
}

async function readAll(_entries: FormEntries, files: StreamedFiles) {
  const read: [string, number][] = []
  for await (const file of files) read.push([file.name, await lengthOf(file)])
  return read
}

/** As far as it came, and how it ended. */
async function readAsFar(_entries: FormEntries, files: StreamedFiles) {
  const read: string[] = []
  try {
    for await (const file of files) {
      await lengthOf(file)
      read.push(file.name)
    }
  } catch (error) {
    read.push((error as { code: string }).code)
  }
  return read
}

test.each([10, 10_000, 5_000_000])('files come in their order, in pieces of %i', async (size) => {
  const all = title + file('a', 'uno') + file('b', LARGE.slice(0, 50 * size)) + file('c', '') + END
  const { entries, read } = await streamFiles(formOf(all, size), 9, async (entries, files) => ({
    entries,
    read: await readAll(entries, files),
  }))
  expect(entries).toEqual([['title', 'Escritura']])
  expect(read).toEqual([
    ['a', 3],
    ['b', Math.min(LARGE.length, 50 * size)],
    ['c', 0],
  ])
})

test.each([
  ['not at all', async () => undefined],
  [
    'only its beginning',
    async ({ chunks }: StreamedFile) => {
      for await (const _chunk of chunks) break
    },
  ],
  [
    'its beginning, and then throws',
    async ({ chunks }: StreamedFile) => {
      const reading = (async () => {
        for await (const _chunk of chunks) throw new Error('no')
      })()
      await reading.catch(() => undefined)
    },
  ],
])('form: a large file of which %s is read blocks nothing', async (_, read) => {
  const all = file('a', LARGE) + file('b', LARGE) + file('c', 'tres') + END
  const names = await streamFiles(formOf(all), 9, async (_entries, files) => {
    const seen: string[] = []
    for await (const file of files) {
      await read(file)
      seen.push(file.name)
    }
    return seen
  })
  expect(names).toEqual(['a', 'b', 'c'])
})

test('form: reads only as much of a file as the consumer asks for', async () => {
  let sent = 0
  const head = new TextEncoder().encode(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`,
  )
  const chunk = new Uint8Array(64 * 1024).fill(120)
  async function* endless() {
    yield head
    for (let count = 0; count < 320; count += 1) {
      sent += chunk.length
      yield chunk
    }
    yield new TextEncoder().encode(`\r\n${END}`)
  }
  const request = new Request('http://localhost/', {
    method: 'POST',
    headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Readable.toWeb(Readable.from(endless())),
    duplex: 'half',
  } as RequestInit)
  await streamFiles(request, 9, async (_entries, files) => {
    for await (const { chunks } of files)
      for await (const _chunk of chunks) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        expect(sent).toBeLessThan(2_000_000)
        break
      }
  })
  expect(sent).toBe(320 * chunk.length)
})

test.each([
  ['a form that breaks off in its second file', file('a', 'uno') + file('b', LARGE).slice(0, -9)],
  ['a field behind a file', file('a', 'uno') + file('b', 'dos') + title + file('c', 'tres') + END],
  [
    'more files than are looked at',
    Array.from('abcdefghijkl', (name) => file(name, name)).join('') + END,
  ],
])('%s is told where it breaks', async (_, text) => {
  const read = await streamFiles(formOf(text), 9, readAsFar)
  expect(read.at(-1)).toBe('bad-request')
  expect('abcdefghi'.startsWith(read.slice(0, -1).join(''))).toBe(true)
})

test.each([
  ['large', LARGE],
  ['small', 'x'],
])('%s files that came whole before a break are read, late as it may be', async (_, content) => {
  const text = file('a', content) + file('b', content) + file('c', LARGE).slice(0, -9)
  const read = streamFiles(formOf(text), 9, async (entries, files) => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    return readAsFar(entries, files)
  })
  expect(await read).toEqual(['a', 'b', 'bad-request'])
})

test('a line that breaks behind the end of the form takes no file from it', async () => {
  async function* breaking() {
    yield new TextEncoder().encode(file('a', 'uno') + file('b', 'dos') + END)
    await new Promise((resolve) => setTimeout(resolve, 20))
    throw new Error('the cable was pulled')
  }
  const request = new Request('http://localhost/', {
    method: 'POST',
    headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Readable.toWeb(Readable.from(breaking())),
    duplex: 'half',
  } as RequestInit)
  const read = await streamFiles(request, 9, async (entries, files) => {
    const names = await readAsFar(entries, files)
    await new Promise((resolve) => setTimeout(resolve, 100))
    return names
  })
  expect(read).toEqual(['a', 'b', 'bad-request'])
})

test.each([
  ['without a file', title + END, 'bad-request'],
  ['that ends in a field', title.slice(0, -20), 'bad-request'],
  [
    'with a field over the limit',
    part('name="title"', 'x'.repeat(FIELD_LIMIT + 1)) + file('a', 'x') + END,
    'too-large',
  ],
])('a form %s is refused', async (_, text, code) => {
  await expect(streamFiles(formOf(text), 9, readAll)).rejects.toMatchObject({ code })
})

test('a file that ends early: is a bad request for a reader that began late, too', async () => {
  const form = formOf(file('a', LARGE).slice(0, -9), 100)
  const read = await streamFiles(form, 9, async (entries, files) => {
    await pause(50)
    return await readAsFar(entries, files)
  })
  expect(read).toEqual(['bad-request'])
})

test('a form that breaks off in a file that is not read: ends no process', async () => {
  const crashes: unknown[] = []
  const note = (error: unknown) => crashes.push(error)
  process.on('uncaughtException', note)
  const form = formOf(file('a', 'uno').slice(0, -2))
  try {
    await streamFiles(form, 9, () => pause(50))
  } finally {
    process.off('uncaughtException', note)
  }
  expect(crashes).toEqual([])
})

/** A form that goes on for 20 MB, and how much of it was asked for. */
function longForm(...begin: string[]) {
  const seen = { sent: 0 }
  const chunk = new TextEncoder().encode(LARGE.slice(0, 64 * 1024))
  async function* all() {
    for (const piece of begin) yield new TextEncoder().encode(piece)
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

test('a form with more files than are looked at: is not read any further, while its files are', async () => {
  const { request, seen } = longForm(file('a', 'uno') + file('b', 'dos').slice(0, -2))
  const sent = await streamFiles(request, 1, async (entries, files) => {
    expect((await readAsFar(entries, files)).at(-1)).toBe('bad-request')
    await pause(100)
    return seen.sent
  })
  expect(sent).toBeLessThan(2_000_000)
})

test('a form whose reader has ended: is not read any further', async () => {
  const { request, seen } = longForm(`${file('a', 'uno')}--${BOUNDARY}\r\n\r\n`)
  await streamFiles(request, 9, async (_entries, files) => {
    for await (const one of files) return await lengthOf(one)
  })
  await pause(100)
  expect(seen.sent).toBeLessThan(2_000_000)
})

test('a file that is still read when its reader has ended: is refused', async () => {
  const body = new ReadableStream({
    start: (controller) =>
      controller.enqueue(new TextEncoder().encode(file('a', 'uno').slice(0, -2))),
  })
  const init = { ...{ method: 'POST', body, duplex: 'half' }, headers: formOf('').headers }
  let read: Promise<unknown> | undefined
  await streamFiles(new Request('http://localhost/', init as RequestInit), 9, async (_, files) => {
    for await (const one of files) {
      read = lengthOf(one)
      break
    }
  })
  const reading = Promise.race([read, pause(2_000)])
  await expect(reading).rejects.toMatchObject({ code: 'bad-request' })
})

test.each([new Error('the cable was pulled'), undefined])(
  'a line that breaks in a file, with the error %s: is told as a bad request',
  async (error) => {
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(
          new TextEncoder().encode(file('a', 'uno') + file('b', 'dos').slice(0, -2)),
        )
        await pause(20)
        controller.error(error)
      },
    })
    const init = { ...{ method: 'POST', body, duplex: 'half' }, headers: formOf('').headers }
    const request = new Request('http://localhost/', init as RequestInit)
    expect(await streamFiles(request, 9, readAsFar)).toEqual(['a', 'bad-request'])
  },
)

test('a form that breaks off: no file stands for its fault, not for a reader that passes over its files either', async () => {
  const names: string[] = []
  const broken = file('a', 'uno') + title + file('b', 'dos') + END
  const read = streamFiles(formOf(broken), 9, async (_entries, files) => {
    for await (const { name } of files) names.push(name)
  })
  await expect(read).rejects.toMatchObject({ code: 'bad-request' })
  expect(names.filter((name) => name !== 'a')).toEqual([])
})

test('a refusal comes through, with the files unread', async () => {
  const refusal = streamFiles(formOf(file('a', LARGE) + file('b', LARGE) + END), 9, async () => {
    throw new Error('no')
  })
  await expect(refusal).rejects.toThrow('no')
})
