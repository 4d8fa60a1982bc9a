/*
 * Loaded into a server under test with `--import`: measures the longest task of its request thread by the thread's own
 * processor time, so that other processes of the machine do not count. A beat every few milliseconds waits while a task
 * runs; the time between two beats is that of the task, or of a few short ones.
 *
 * It begins anew once the server listens, as no request waits before, and on SIGUSR2, after it wrote the longest task to
 * the file TASK_CLOCK, as JSON: `cpu` and `wall` in milliseconds, and `busy`, the share of a processor that the thread
 * used meanwhile.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { Server } from 'node:net'
import { performance } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const EVERY_MS = 2
const file = process.env.TASK_CLOCK

if (isMainThread && file) {
  const cpuNow = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longest = { cpu: 0, wall: 0 }
  let [cpu, wall] = [cpuNow(), performance.now()]
  let start = { cpu, wall }
  const begin = () => {
    longest = { cpu: 0, wall: 0 }
    cpu = cpuNow()
    wall = performance.now()
    start = { cpu, wall }
  }
  const { listen } = Server.prototype
  Server.prototype.listen = function (...given) {
    this.once('listening', begin)
    return listen.apply(this, given)
  }
  const beat = () => {
    const [cpuThen, wallThen] = [cpu, wall]
    cpu = cpuNow()
    wall = performance.now()
    if (cpu - cpuThen > longest.cpu) longest = { cpu: cpu - cpuThen, wall: wall - wallThen }
  }
  setInterval(beat, EVERY_MS).unref()
  process.on('SIGUSR2', () => {
    beat()
    // Whole or not at all: the test reads it as soon as it is there.
    const busy = (cpu - start.cpu) / (wall - start.wall)
    writeFileSync(`${file}.new`, JSON.stringify({ ...longest, busy }))
    renameSync(`${file}.new`, file)
    begin()
  })
}
