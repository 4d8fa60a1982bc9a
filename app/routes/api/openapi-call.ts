import { z } from 'zod'
import { type Call, defineCall } from './define-call.ts'
import { describeCalls } from './openapi.ts'

/** @param calls read at the first request, because the table includes this call */
export function openApi(calls: () => readonly Call[]): Call {
  let described: Record<string, unknown> | undefined
  return defineCall({
    name: 'getOpenApi',
    method: 'GET',
    template: '/openapi.json',
    summary: 'Returns this description.',
    access: 'open-demo',
    response: z.looseObject({ openapi: z.string() }),
    async reply({ system }) {
      described ??= describeCalls(calls(), system.settings.publicOrigin)
      return { body: { openapi: '3.1.1', ...described } }
    },
  })
}
