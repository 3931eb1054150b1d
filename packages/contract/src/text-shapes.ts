/** Of texts whose characters are limited (specification 1, section 5): the same in forms and on the server. */
export const addressShape = /^[\w:/.?=&#-]+$/
export const wordShape = /^\w+$/
