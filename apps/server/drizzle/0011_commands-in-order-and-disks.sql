DROP INDEX "commands_org_idx";--> statement-breakpoint
DROP INDEX "commands_time_idx";--> statement-breakpoint
DROP INDEX "commands_session_idx";--> statement-breakpoint
ALTER TABLE "commands" ADD COLUMN "millisecond" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "commands" ADD COLUMN "sequence" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "terminals" ADD COLUMN "disk_free_bytes" bigint;--> statement-breakpoint
ALTER TABLE "terminals" ADD COLUMN "disk_total_bytes" bigint;--> statement-breakpoint
ALTER TABLE "terminals" ADD COLUMN "disk_is_low" boolean;--> statement-breakpoint
CREATE INDEX "commands_org_idx" ON "commands" USING btree ("org_id","timestamp","sequence","id");--> statement-breakpoint
CREATE INDEX "commands_time_idx" ON "commands" USING btree ("timestamp","sequence","id");--> statement-breakpoint
CREATE INDEX "commands_session_idx" ON "commands" USING btree ("session","timestamp","sequence");