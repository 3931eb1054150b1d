CREATE TABLE "probe_batches" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"execution_id" uuid NOT NULL,
	"terminal_id" uuid NOT NULL,
	"boot_id" text,
	"user" text NOT NULL,
	"facts" boolean NOT NULL,
	"targets" jsonb NOT NULL,
	"results" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"is_finished" boolean DEFAULT false NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"date_heard" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "connectivity_reason" jsonb;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "connectivity_reason" jsonb;--> statement-breakpoint
ALTER TABLE "probe_batches" ADD CONSTRAINT "probe_batches_execution_id_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."executions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "probe_batches" ADD CONSTRAINT "probe_batches_terminal_id_terminals_id_fk" FOREIGN KEY ("terminal_id") REFERENCES "public"."terminals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "probe_batches_execution_idx" ON "probe_batches" USING btree ("execution_id");--> statement-breakpoint
CREATE INDEX "probe_batches_terminal_idx" ON "probe_batches" USING btree ("terminal_id");