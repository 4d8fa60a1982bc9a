import type { MiddlewareFunction } from 'react-router'
import { filePatternsContext } from './context.ts'

/**
 * Responds with 404 to a request for the data of an address that is no page. React Router would read the whole file
 * into memory and encode it as text: one request for the data of a large document would hold up the server.
 */
export const refuseDataOfFiles: MiddlewareFunction<Response> = ({ request, context, pattern }) => {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isData = new URL(request.url).pathname.endsWith('.data')
  if (isRead && isData && context.get(filePatternsContext).has(pattern.replace(/^\//, '')))
    throw new Response(null, { status: 404 })
}
