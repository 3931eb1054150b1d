CREATE TABLE "execution_logs" (
	"execution_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"date" timestamp with time zone DEFAULT now() NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "execution_logs_execution_id_line_pk" PRIMARY KEY("execution_id","line")
);
--> statement-breakpoint
CREATE TABLE "executions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"key" text,
	"input" jsonb NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"trigger" text NOT NULL,
	"user_id" uuid,
	"user" text NOT NULL,
	"language" text NOT NULL,
	"on_crash" text NOT NULL,
	"timeout_seconds" integer NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"worker" uuid,
	"date_heartbeat" timestamp with time zone,
	"date_cancel" timestamp with time zone,
	"progress_done" integer,
	"progress_total" integer,
	"summary" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"error" text,
	"date_published" timestamp with time zone DEFAULT now() NOT NULL,
	"date_start" timestamp with time zone,
	"date_finished" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "execution_logs" ADD CONSTRAINT "execution_logs_execution_id_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."executions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "executions_open" ON "executions" USING btree ("kind","status") WHERE "executions"."date_finished" is null;--> statement-breakpoint
CREATE INDEX "executions_published" ON "executions" USING btree ("org_id","date_published");--> statement-breakpoint
CREATE INDEX "executions_user" ON "executions" USING btree ("user_id","date_published");