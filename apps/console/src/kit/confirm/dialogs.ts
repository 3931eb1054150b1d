/** The code of the dialogs that stand between a person and the loss of work. */
export const questionDialogs = [() => import('./ask-dialog.tsx'), () => import('./step-up-dialog.tsx')]
