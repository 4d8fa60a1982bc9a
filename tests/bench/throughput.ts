import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { onFirstCore, processorTimeOf, startDemoServer } from './demo-server.ts'
import type { Figure } from './figures.ts'
import { loadOf } from './load.ts'
import { ROOT } from './measured-process.ts'
import { findDocuments } from './office-visitor.ts'

const section = 'Páginas por segundo, en un núcleo'

/** Pages per second, and the memory of the server meanwhile. */
export async function measureThroughput(folder: string): Promise<Figure[]> {
  // Making the demo office takes memory that a running office never needs: the limit is for the second start.
  const firstPeak = await (await startDemoServer(folder)).stop()
  const server = await startDemoServer(folder)
  const figures: Figure[] = []
  try {
    const { signed } = await findDocuments(server)
    for (const [name, address] of [
      ['/login', '/login'],
      ['/verify/{uuid}', `/verify/${signed}`],
    ] as const)
      figures.push(...(await compare(name, server.origin + address, server.processorTime)))
  } finally {
    const value = await server.stop()
    figures.push({
      section,
      name: 'peak memory of the server',
      value,
      unit: 'MB',
      atMost: 300,
    })
    figures.push({
      section,
      name: 'peak memory while the demo office is made',
      value: firstPeak,
      unit: 'MB',
    })
  }
  return figures
}

async function compare(
  name: string,
  url: string,
  processorTime: () => number | undefined,
): Promise<Figure[]> {
  const page = await loadOf(url, processorTime)
  const floor = await loadOfBareServer(page.bodyBytes)
  const figure = (of: string, value: number, unit: Figure['unit']) => ({
    section,
    name: `${name}${of}`,
    value,
    unit,
  })
  return [
    { ...figure('', page.requestsPerSecond, '/s'), atLeast: 1000 },
    // Wall time depends on other load of the machine; processor time does not.
    ...(page.processorTime
      ? [
          {
            ...figure(': a second of processor makes', 1000 / page.processorTime, '/s'),
            atLeast: 1000,
          },
        ]
      : []),
    figure(': p95', page.p95, 'ms'),
    figure(': as many bytes from bare node:http', floor.requestsPerSecond, '/s'),
    ...(floor.processorTime
      ? [figure(': a second of processor makes of those', 1000 / floor.processorTime, '/s')]
      : []),
    figure(': bare answers for one page', floor.requestsPerSecond / page.requestsPerSecond, '×'),
    figure(': p95 to that of the bare answer', page.p95 / floor.p95, '×'),
  ]
}

async function loadOfBareServer(bytes: number) {
  const script = path.join(ROOT, 'tests/bench/bare-server.ts')
  const [program, ...args] = onFirstCore([process.execPath, script, String(bytes)])
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = await once(child.stdout, 'data')
    const url = `http://127.0.0.1:${String(port).trim()}/`
    return await loadOf(url, () => processorTimeOf(child.pid))
  } finally {
    child.kill()
  }
}
