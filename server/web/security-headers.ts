import { randomBytes } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import { isCall } from './request-guards.ts'

/**
 * Sets the headers of every response: pages, files, errors.
 *
 * Stores the nonce in `response.locals.nonce`.
 */
export function securityHeaders(options: { isHttps: boolean }): RequestHandler {
  return (request, response, next) => {
    const nonce = randomBytes(18).toString('base64')
    response.locals.nonce = nonce
    const policy = isCall(request) ? POLICY_OF_DATA : policyOfPages(nonce, options.isHttps)
    response.setHeader('Content-Security-Policy', policy)
    response.setHeader('X-Content-Type-Options', 'nosniff')
    // Not `no-referrer`: browsers would send `Origin: null` with forms, and we would refuse them.
    response.setHeader('Referrer-Policy', 'same-origin')
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    response.setHeader('X-Frame-Options', 'DENY')
    response.setHeader(
      'Permissions-Policy',
      'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
    )
    if (options.isHttps)
      response.setHeader('Strict-Transport-Security', 'max-age=63072000; includeSubDomains')
    next()
  }
}

/**
 * Removes the headers that browsers ignore for scripts, style sheets and pictures: a first visit to the dashboard loads
 * twenty of them.
 */
export function trimHeadersOfFile(response: Response): void {
  response.setHeader('Content-Security-Policy', POLICY_OF_DATA)
  for (const name of ['Cross-Origin-Opener-Policy', 'X-Frame-Options', 'Permissions-Policy'])
    response.removeHeader(name)
}

/** For data and files, which a browser shows only if the user opens their address directly. */
const POLICY_OF_DATA = `default-src 'none'; frame-ancestors 'none'; sandbox`

/** `style` attributes are allowed, because Mantine sets sizes with them; scripts only with the nonce. */
function policyOfPages(nonce: string, isHttps: boolean): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `manifest-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}
