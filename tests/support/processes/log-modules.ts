/* Loaded by `node --import` before a server: writes the address of every module that it loads into a file. */
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const file = process.env.MODULE_LOG ?? ''

registerHooks({
  load(url, context, next) {
    appendFileSync(file, `${url}\n`)
    return next(url, context)
  },
})
