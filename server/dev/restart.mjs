/*
 * Restarts the development server when its code changes. Plain Node 20 syntax, like the launcher that runs it.
 *
 * Node keeps the first copy of every module, so a change in server/ needs a new process. (Vite, inside the server,
 * reloads app/ by itself.) `node --watch-path` would do, but on Linux it loses a file that an editor replaces by
 * renaming. Comparing modification times costs some milliseconds and works everywhere.
 */
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

/** What the server reads once, when it starts. */
const PLACES = [
  'server',
  'app/theme/breakpoints.ts',
  'package.json',
  'postcss.config.js',
  'react-router.config.ts',
  'vite.config.ts',
]
const LOOK_EVERY_MS = 500
/** After that the server is killed. The office's data survives it, as it survives a power cut. */
const STOP_LIMIT_MS = 2_000
/** The exit code for a wrong setting, such as a port in use. No change of the code mends it. */
const WRONG_SETTING = 2

/**
 * Runs the server until a signal stops it or its settings are wrong. After a crash it waits for the next change.
 *
 * @param {string} root the checkout
 * @param {() => import('node:child_process').ChildProcess} start
 * @returns {Promise<number>} the exit code
 */
export async function runAndRestart(root, start) {
  let isStopped = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      isStopped = true
    })
  let state = stateOf(root)
  let child = start()
  for (;;) {
    await pause(LOOK_EVERY_MS)
    if (child.exitCode === WRONG_SETTING) return WRONG_SETTING
    const newest = stateOf(root)
    if (!isStopped && newest === state) continue
    await stop(child)
    if (isStopped) return 0
    process.stderr.write('Cambió el código del servidor: se reinicia.\n')
    state = newest
    child = start()
  }
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await ended
  clearTimeout(impatience)
}

/** Names, sizes and modification times of all files, as one text. */
function stateOf(root) {
  const lines = []
  const add = (file) => {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat?.isDirectory()) for (const name of namesIn(file)) add(path.join(file, name))
    else lines.push(`${file} ${stat?.size} ${stat?.mtimeMs}`)
  }
  for (const place of PLACES) add(path.join(root, place))
  return lines.join('\n')
}

function namesIn(folder) {
  try {
    // Editors put copies and locks beside a file while it is open.
    return readdirSync(folder).filter((name) => !/^[.#]|~$/.test(name))
  } catch {
    // Removed since it was listed.
    return []
  }
}
