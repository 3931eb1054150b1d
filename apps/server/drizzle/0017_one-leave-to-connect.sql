ALTER TABLE "connection_tokens" ADD COLUMN "exchanged_from" uuid;--> statement-breakpoint
CREATE INDEX "connection_tokens_exchanged_idx" ON "connection_tokens" USING btree ("exchanged_from");