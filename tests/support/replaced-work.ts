import type { Mailer } from '#server/ports/mailer.ts'
import { someReport } from './pdf/signed-document.ts'
import { anyPdf, type Replaced } from './test-system.ts'

const mailer: Mailer = {
  send: async () => ({ kind: 'accepted' }),
  reach: async () => ({ kind: 'reached' }),
}

/** For tests about statements of the database: no file is verified, no authority and no mail server is asked. */
export const replacedWork: Replaced = {
  pdf: { ...anyPdf, verify: async () => someReport },
  trust: {
    policy: async (at) => ({ anchors: [], candidates: [], at }),
    fingerprint: async () => 'none',
    builtIn: [],
  },
  tokens: { withTokens: () => Promise.reject(new Error('no token is plugged in')) },
  mailer,
}
