import { processorTime, type Running, startBeside, timeOf } from './servers.ts'

const LIST = '/dashboard/documents'
/** Of each process: its code is compiled as it is used. */
const WARM_UP = 1_000
const PAGES = 400

/**
 * How many times more processor time a page takes with two processes on one database, which are asked in turn, than with one.
 *
 * @param one a server on PostgreSQL that has nothing else to do
 */
export async function measureTwoProcesses(one: Running): Promise<number> {
  const alone = await processorOfPage([one])
  const other = await startBeside(one)
  try {
    return (await processorOfPage([one, other])) / alone
  } finally {
    await other.server.stop()
  }
}

/** Milliseconds. */
async function processorOfPage(servers: readonly Running[]): Promise<number> {
  const ask = async (pages: number) => {
    for (let page = 0; page < pages; page += 1)
      for (const server of servers) await timeOf(server, LIST, server.office.member)
  }
  const spent = () => servers.reduce((sum, server) => sum + processorTime(server), 0)
  await ask(WARM_UP)
  const before = spent()
  await ask(PAGES / servers.length)
  return (spent() - before) / PAGES
}
