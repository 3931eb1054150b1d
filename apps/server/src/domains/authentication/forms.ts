/** Forms of our own pages, before anybody is signed in. */
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ApiError } from '../../kernel/errors.ts'
import { hasCsrfToken, isFromElsewhere } from './gatekeeper.ts'

/** A captcha and its answer, named as the wire has them. */
export const captchaFields = {
  captcha_0: z.string().max(256).optional(),
  captcha_1: z.string().max(32).optional(),
}

/** @throws ApiError 403 when another site sends it */
export function checkForm(request: FastifyRequest, formToken: string | undefined): void {
  if (isFromElsewhere(request)) throw new ApiError(403, 'origin_refused')
  if (!hasCsrfToken(request, formToken))
    throw new ApiError(403, 'csrf_failed', { knownAs: 'permission_denied' })
}

/** Whether a browser sends it, which follows redirects, and not a script of our page. */
export const isForm = (request: FastifyRequest): boolean =>
  request.method === 'GET' ||
  request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
